package io.sluice.server.api;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/** Limits the connections of each caller, so that none can have all of the port. Thread-safe. */
final class CallerConnections {
    private final int most;

    /** By the names of callers that have any. */
    @GuardedBy("this") private final Map<String, Integer> counts = new HashMap<>();

    /** @param most the connections of one caller */
    CallerConnections(int most) {
        this.most = most;
    }

    /** The connections that a caller may have. */
    int most() {
        return most;
    }

    /** Counts a connection; false if its caller has too many, and it is not counted. */
    synchronized boolean add(String caller) {
        if (counts.getOrDefault(caller, 0) >= most) {
            return false;
        }
        counts.merge(caller, 1, Integer::sum);
        return true;
    }

    /** States that a connection that was counted is closed. */
    synchronized void remove(String caller) {
        counts.computeIfPresent(caller, (name, count) -> count == 1 ? null : count - 1);
    }
}
