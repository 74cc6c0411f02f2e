package io.sluice.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleTest {
    @ParameterizedTest
    @CsvSource({"1000, 2.4", "10000, 2.4", "12000, 2.4", "12001, 4.8", "50000, 12"})
    void transactionsAreLargerAtHighRates(long rate, double rowsPerTransaction) {
        Schedule schedule = Schedule.steady(rate, Duration.ofSeconds(1), Duration.ofSeconds(4));

        assertThat(schedule.rowsPerFive() / 5.0).isEqualTo(rowsPerTransaction);
        assertThat(schedule.rowsBefore(schedule.transactions())).isBetween(5 * rate - 12, 5 * rate);
        assertThat(schedule.rowsBefore(schedule.leadIn())).isBetween(rate - 12, rate);
    }

    @Test
    void fiveTransactionsHaveTheWantedRows() {
        Schedule schedule = Schedule.steady(1_000, Duration.ZERO, Duration.ofSeconds(1));

        assertThat(IntStream.range(0, 5).map(schedule::rowsOf)).containsExactly(2, 2, 3, 2, 3);
        assertThat(schedule.rowsBefore(5)).isEqualTo(12);
    }

    @Test
    void transactionsAreDueAtTheWantedRate() {
        Schedule schedule = Schedule.steady(10_000, Duration.ofSeconds(1), Duration.ofSeconds(2));

        assertThat(schedule.dueNanos(0)).isZero();
        assertThat(schedule.dueNanos(schedule.leadIn())).isBetween(999_000_000L, 1_000_000_000L);
        assertThat(schedule.dueNanos(1)).isEqualTo(240_000);
        assertThat(schedule.dueNanos(schedule.transactions())).isBetween(2_999_000_000L, 3_000_000_000L);
    }

    @Test
    void anIdleStreamHasSingleRows() {
        Schedule schedule = Schedule.idle(Duration.ofSeconds(1), Duration.ofSeconds(2));

        assertThat(schedule.transactions()).isEqualTo(15);
        assertThat(schedule.leadIn()).isEqualTo(5);
        assertThat(IntStream.range(0, 15).map(schedule::rowsOf)).containsOnly(1);
        assertThat(schedule.dueNanos(1)).isEqualTo(200_000_000);
    }
}
