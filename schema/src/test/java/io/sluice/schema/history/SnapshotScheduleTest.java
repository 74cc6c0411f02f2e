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
        schedule.setRows(SnapshotSchedule.MAX_ROWS - 1);
        assertThat(schedule.isDue()).isFalse();

        schedule.countRow();
        assertThat(schedule.isDue()).isTrue();

        schedule.restart();
        assertThat(schedule.isDue()).isFalse();
    }

    @Test
    void noSnapshotIsDueWithoutAnInterval() {
        SnapshotSchedule never = new SnapshotSchedule(Duration.ZERO, time);
        never.setRows(2 * SnapshotSchedule.MAX_ROWS);
        time.pass(INTERVAL);

        assertThat(never.isDue()).isFalse();
    }
}
