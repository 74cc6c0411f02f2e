package io.sluice.stream.source.search;

import java.io.IOException;

/**
 * Finds the newest binlog file for which a condition holds that holds for all older ones, too. It is looked for from the newest file backwards,
 * in steps that double, and then by halves.
 */
final class NewestFile {
    private NewestFile() {}

    /** A condition of a file, which the server is asked for. */
    interface Condition {
        /** Whether it holds for the file with an index; 0 is the oldest one. */
        boolean holds(int index) throws IOException;
    }

    /** The index of the newest file before {@code end} for which a condition holds; -1 if it holds for none. */
    static int before(int end, Condition condition) throws IOException {
        int tooNew = end;
        int step = 1;
        int old = tooNew - 1;
        while (old >= 0 && !condition.holds(old)) {
            tooNew = old;
            old -= step;
            step *= 2;
        }
        old = Math.max(old, -1);
        while (tooNew - old > 1) {
            int middle = (old + tooNew) >>> 1;
            if (condition.holds(middle)) {
                old = middle;
            } else {
                tooNew = middle;
            }
        }
        return old;
    }
}
