package io.sluice.server.instance;

import io.sluice.format.entry.Entry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Shows its watchers the entries of one destination that were delivered. Without watchers it costs nothing. Thread-safe. */
public final class DeliveryTap {
    private final List<Watcher> watchers = new CopyOnWriteArrayList<>();

    /** Gets what is delivered. */
    @FunctionalInterface
    public interface Watcher {
        /**
         * Called with entries that the broker has confirmed, or a client has acked, in binlog order. Called by the thread that
         * delivers: it must be quick, and neither wait nor throw.
         */
        void delivered(List<Entry> entries);
    }

    /** Shows what is delivered from now on to one more. */
    public void add(Watcher watcher) {
        watchers.add(watcher);
    }

    public void remove(Watcher watcher) {
        watchers.remove(watcher);
    }

    /** Shows entries to all that watch; see {@link Watcher#delivered}. */
    public void delivered(List<Entry> entries) {
        for (Watcher watcher : watchers) {
            watcher.delivered(entries);
        }
    }
}
