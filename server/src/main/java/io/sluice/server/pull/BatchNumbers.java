package io.sluice.server.pull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * The numbers of the batches of a destination, each client's own, from 1 on. No number is used twice in a process: a connection outlives a
 * reload, and an ack that comes late would confirm a batch of the next instance that has the same number. Thread-safe.
 */
public final class BatchNumbers {
    @GuardedBy("this") private final Map<Integer, Long> last = new HashMap<>();

    /** The number of a client's next batch. */
    synchronized long next(int clientId) {
        return last.merge(clientId, 1L, Long::sum);
    }
}
