package io.sluice.bench.bridge;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The running bridge, if there is one. One thread starts bridges; any thread may stop the running one, such as a shutdown hook. */
public final class RunningBridge {
    private @Nullable Bridge bridge;
    private @Nullable BridgeJob job;

    /** Starts a bridge and returns the id of its process. {@link #stop} must be called even if this fails. */
    public long start(Bridge next, BridgeJob nextJob) throws IOException {
        synchronized (this) {
            bridge = next;
            job = nextJob;
        }
        return next.start(nextJob);
    }

    /** Stops the running bridge; does nothing if there is none. */
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
