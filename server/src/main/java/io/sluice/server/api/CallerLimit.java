package io.sluice.server.api;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/** Limits what each caller has at once, so that none can have all of it: connections, or calls that are being run. Thread-safe. */
final class CallerLimit {
    private final int most;

    /** By the names of callers that have any. */
    @GuardedBy("this") private final Map<String, Integer> counts = new HashMap<>();

    /** @param most what one caller may have */
    CallerLimit(int most) {
        this.most = most;
    }

    /** What one caller may have. */
    int most() {
        return most;
    }

    /** Counts one more; false if its caller has too many, and it is not counted. */
    synchronized boolean add(String caller) {
        if (counts.getOrDefault(caller, 0) >= most) {
            return false;
        }
        counts.merge(caller, 1, Integer::sum);
        return true;
    }

    /** States that one that was counted has ended. */
    synchronized void remove(String caller) {
        counts.computeIfPresent(caller, (name, count) -> count == 1 ? null : count - 1);
    }
}
