package io.sluice.server.simulation;

import java.util.ArrayDeque;
import java.util.Deque;

/** The trace of a simulation: a hash of everything, and the last lines if they are kept. */
final class Trace {
    private static final int KEPT = 150;

    private final boolean isKept;
    private final Deque<String> last = new ArrayDeque<>();
    private long hash = 17;

    Trace(boolean isKept) {
        this.isKept = isKept;
    }

    /** Notes a step; {@code forPeople} is only in the log, and not part of the hash. */
    void note(long nanos, String what, long number, Object forPeople) {
        hash = 31 * (31 * (31 * hash + nanos) + what.hashCode()) + number;
        if (isKept) {
            if (last.size() == KEPT) {
                last.removeFirst();
            }
            last.add("%10.3f  %s %d %s".formatted(nanos / 1e9, what, number, forPeople));
        }
    }

    long hash() {
        return hash;
    }

    /** The last lines. */
    String lines() {
        return String.join("\n", last);
    }
}
