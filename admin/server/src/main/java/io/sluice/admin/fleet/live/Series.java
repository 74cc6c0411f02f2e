package io.sluice.admin.fleet.live;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rates and lag of the last steps, in arrays of fixed size; the oldest step is overwritten. Confined to one thread. */
final class Series {
    /** Of 5 seconds each: 15 minutes. */
    static final int STEPS = 180;

    private static final int UNKNOWN = -1;

    private final int[] rows = unknown();
    private final long[] bytes = new long[STEPS];
    private final int[] lag = unknown();
    private final int[] delay = unknown();
    private long newestStep;

    Series(long firstStep) {
        Arrays.fill(bytes, UNKNOWN);
        newestStep = firstStep - 1;
    }

    private static int[] unknown() {
        int[] values = new int[STEPS];
        Arrays.fill(values, UNKNOWN);
        return values;
    }

    /** Sets the values of a step; negative ones are unknown. Steps before the newest one are ignored. */
    void add(long step, long rowsPerSecond, long bytesPerSecond, long lagSeconds, long delaySeconds) {
        if (step < newestStep) {
            return;
        }
        for (long skipped = Math.max(newestStep + 1, step - STEPS); skipped <= step; skipped++) {
            set(skipped, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
        }
        set(step, rowsPerSecond, bytesPerSecond, lagSeconds, delaySeconds);
        newestStep = step;
    }

    private void set(long step, long rowsPerSecond, long bytesPerSecond, long lagSeconds, long delaySeconds) {
        int slot = (int) (step % STEPS);
        rows[slot] = narrow(rowsPerSecond);
        bytes[slot] = bytesPerSecond;
        lag[slot] = narrow(lagSeconds);
        delay[slot] = narrow(delaySeconds);
    }

    private static int narrow(long value) {
        return (int) Math.min(Integer.MAX_VALUE, value);
    }

    /** All steps up to one, oldest first. */
    Values upTo(long lastStep) {
        Values values = new Values();
        for (long step = lastStep - STEPS + 1; step <= lastStep; step++) {
            boolean isKept = step >= 0 && step <= newestStep && step > newestStep - STEPS;
            int slot = (int) Math.floorMod(step, (long) STEPS);
            values.rows.add(isKept ? known(rows[slot]) : null);
            values.bytes.add(isKept ? known(bytes[slot]) : null);
            values.lag.add(isKept ? known(lag[slot]) : null);
            values.delay.add(isKept ? known(delay[slot]) : null);
        }
        return values;
    }

    private static @Nullable Long known(long value) {
        return value < 0 ? null : Long.valueOf(value);
    }

    /** The values of all steps. */
    static final class Values {
        private final List<@Nullable Long> rows = new ArrayList<>(STEPS);
        private final List<@Nullable Long> bytes = new ArrayList<>(STEPS);
        private final List<@Nullable Long> lag = new ArrayList<>(STEPS);
        private final List<@Nullable Long> delay = new ArrayList<>(STEPS);

        List<@Nullable Long> rows() {
            return Collections.unmodifiableList(rows);
        }

        List<@Nullable Long> bytes() {
            return Collections.unmodifiableList(bytes);
        }

        List<@Nullable Long> lag() {
            return Collections.unmodifiableList(lag);
        }

        List<@Nullable Long> delay() {
            return Collections.unmodifiableList(delay);
        }
    }
}
