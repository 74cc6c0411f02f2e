package io.sluice.schema.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SnapshotScheduleTest {
    private static final Duration INTERVAL = Duration.ofHours(24);

    private final HandTime time = new HandTime();
    private final SnapshotSchedule schedule = new SnapshotSchedule(INTERVAL, time);

    @Test
    void aSnapshotIsDueAfterTheIntervalIfThereWasDdl() {
        time.pass(INTERVAL);
        assertThat(schedule.isDue()).as("without DDL").isFalse();

        schedule.countRow();
        assertThat(schedule.isDue()).isTrue();

        schedule.restart();
        schedule.countRow();
        assertThat(schedule.isDue()).as("in the next interval").isFalse();
        time.pass(INTERVAL.minusMillis(1));
        assertThat(schedule.isDue()).isFalse();
        time.pass(Duration.ofMillis(1));
        assertThat(schedule.isDue()).isTrue();
    }

    @Test
    void aSnapshotIsDueEarlierIfThereAreManyRowsToApply() {
        schedule.continueFrom(time.millis(), SnapshotSchedule.MAX_ROWS - 1);
        assertThat(schedule.isDue()).isFalse();

        schedule.countRow();
        assertThat(schedule.isDue()).isTrue();

        schedule.restart();
        assertThat(schedule.isDue()).isFalse();
    }

    @Test
    void anAttemptThatFailedForWantOfHeapIsRepeatedBeforeTheNextInterval() {
        schedule.continueFrom(time.millis(), SnapshotSchedule.MAX_ROWS);
        schedule.postpone();
        assertThat(schedule.isDue()).isFalse();
        time.pass(SnapshotSchedule.RETRY);
        assertThat(schedule.isDue()).isTrue();

        schedule.postpone();
        schedule.restart();
        schedule.countRow();
        time.pass(INTERVAL);
        assertThat(schedule.isDue()).isTrue();
    }

    @Test
    void theIntervalOfARestoredSnapshotContinues() {
        long written = time.millis();
        time.pass(INTERVAL.minusMinutes(1));
        SnapshotSchedule next = new SnapshotSchedule(INTERVAL, time);
        next.continueFrom(written, 1);
        assertThat(next.isDue()).isFalse();
        time.pass(Duration.ofMinutes(1));
        assertThat(next.isDue()).isTrue();

        next.continueFrom(time.millis() + INTERVAL.toMillis(), 1);
        time.pass(INTERVAL);
        assertThat(next.isDue()).as("of a snapshot in the future").isTrue();
    }

    @Test
    void aClockThatIsSetBackBeginsTheIntervalAgain() {
        schedule.countRow();
        time.passWall(Duration.ofDays(-365));
        assertThat(schedule.isDue()).isFalse();

        time.pass(INTERVAL.minusMillis(1));
        assertThat(schedule.isDue()).isFalse();
        time.pass(Duration.ofMillis(1));
        assertThat(schedule.isDue()).isTrue();
    }

    @Test
    void noSnapshotIsDueWithoutAnInterval() {
        SnapshotSchedule never = new SnapshotSchedule(Duration.ZERO, time);
        never.continueFrom(0, 2 * SnapshotSchedule.MAX_ROWS);
        time.pass(INTERVAL);

        assertThat(never.isDue()).isFalse();
    }
}
