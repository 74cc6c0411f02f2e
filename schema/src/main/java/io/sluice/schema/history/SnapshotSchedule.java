package io.sluice.schema.history;

import io.sluice.protocol.time.Time;
import java.time.Duration;

/** Decides when all table schemas are written again, so that a restore applies few rows. For one thread. */
final class SnapshotSchedule {
    /** The number of rows that are applied in about a second. */
    static final int MAX_ROWS = 10_000;

    /** After that an attempt is repeated that has failed for want of heap, which other instances may have taken. */
    static final Duration RETRY = Duration.ofMinutes(5);

    private final long intervalMillis;
    private final Time time;
    private long lastMillis;
    private int rows;
    private long postponedMillis;
    private boolean isPostponed;

    /** @param interval the time after which a snapshot is due if there was DDL; zero for never */
    SnapshotSchedule(Duration interval, Time time) {
        this.intervalMillis = interval.toMillis();
        this.time = time;
        this.lastMillis = time.millis();
    }

    /** Begins a new interval: a snapshot was written, or an attempt failed that is not repeated at once. */
    void restart() {
        lastMillis = time.millis();
        rows = 0;
        isPostponed = false;
    }

    /** Has an attempt that failed repeated soon. */
    void postpone() {
        postponedMillis = time.millis();
        isPostponed = true;
    }

    /** Counts a row that was written. */
    void countRow() {
        rows++;
    }

    /**
     * Continues the interval of the newest snapshot: a process may be restarted more often than a snapshot is due.
     *
     * @param millis when it was written; a time in the future counts as now
     * @param rowsSinceSnapshot the number of rows after the snapshot that was restored
     */
    void continueFrom(long millis, int rowsSinceSnapshot) {
        lastMillis = Math.min(millis, time.millis());
        rows = rowsSinceSnapshot;
    }

    boolean isDue() {
        long now = time.millis();
        lastMillis = Math.min(lastMillis, now); // the clock was ahead, and was set back
        postponedMillis = Math.min(postponedMillis, now);
        if (isPostponed && now - postponedMillis < RETRY.toMillis()) {
            return false;
        }
        return intervalMillis > 0 && rows > 0 && (now - lastMillis >= intervalMillis || rows >= MAX_ROWS);
    }
}
