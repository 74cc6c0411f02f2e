package io.sluice.admin.fleet.control;

import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A stream of events that is being opened, or open. Thread-safe. */
public final class ControlStream implements AutoCloseable {
    private final Listener listener;
    private final AtomicBoolean hasEnded = new AtomicBoolean();
    private volatile @Nullable Channel channel;

    /** Gets what comes, on a thread that must not be blocked. After {@link #ended} there is nothing more. */
    public interface Listener {
        /** The stream is open. */
        void opened();

        /** An event. */
        void event(String name, String data);

        /** It has ended, or could not be opened; not called if it was closed here. */
        void ended(ControlFailure why);
    }

    ControlStream(Listener listener) {
        this.listener = listener;
    }

    Listener listener() {
        return listener;
    }

    void attach(Channel opened) {
        channel = opened;
        if (hasEnded.get()) {
            Channels.close(opened);
        }
    }

    boolean isOver() {
        return hasEnded.get();
    }

    void end(ControlFailure why) {
        if (hasEnded.compareAndSet(false, true)) {
            listener.ended(why);
        }
        Channel open = channel;
        if (open != null) {
            Channels.close(open);
        }
    }

    /** Has the server wait, or send again; what is on its way still comes. */
    public void read(boolean isWanted) {
        Channel open = channel;
        if (open != null) {
            open.config().setAutoRead(isWanted);
        }
    }

    /** Ends it; the listener hears nothing more, but for an event that is being passed to it. */
    @Override
    public void close() {
        hasEnded.set(true);
        Channel open = channel;
        if (open != null) {
            Channels.close(open);
        }
    }
}
