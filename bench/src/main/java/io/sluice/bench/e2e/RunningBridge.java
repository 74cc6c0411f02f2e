package io.sluice.bench.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The bridge that runs, if one does. One thread starts it; any may stop it, such as one that ends the whole bench. */
public final class RunningBridge {
    private @Nullable Bridge bridge;
    private @Nullable BridgeJob job;

    /** Starts a bridge, after the last one was stopped; it is to be stopped also if this fails. Returns the id of its process. */
    public long start(Bridge next, BridgeJob nextJob) throws IOException {
        synchronized (this) {
            bridge = next;
            job = nextJob;
        }
        return next.start(nextJob);
    }

    /** Stops it; does nothing if none runs. */
    public synchronized void stop() {
        Bridge last = bridge;
        BridgeJob lastJob = job;
        bridge = null;
        job = null;
        if (last != null && lastJob != null) {
            try {
                last.stop(lastJob);
            } catch (IOException e) {
                throw new UncheckedIOException("could not stop " + last.name(), e);
            }
        }
    }
}
