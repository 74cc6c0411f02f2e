package io.sluice.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.store.ring.RingConfig;
import io.sluice.store.ring.StoreProgress;
import io.sluice.store.ring.StoreStats;
import io.sluice.stream.source.watch.Lag;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DelaysTest {
    private static final long START = 1_000_000;
    private static final long NOW = 2_000_000;

    @Test
    void anIdleInstanceHasNone() {
        assertThat(delays(Lag.NONE, 1_200_000, false, store(1_200_000, 0, 0))).isEqualTo(new Delays(0, 0, 0, 0));
    }

    @Test
    void theDelayOfReadingIsTheOneThatTheSourceReports() {
        assertThat(delays(new Lag(30, 4096), 1_200_000, false, store(1_200_000, 0, 0)))
                .isEqualTo(new Delays(30_000, 30_000, 30_000, 30_000));
    }

    @Test
    void withoutAReportOfTheSourceTheLastEventCounts() {
        assertThat(delays(Lag.UNKNOWN, 1_900_000, false, store(1_900_000, 0, 0)))
                .isEqualTo(new Delays(100_000, 100_000, 100_000, 100_000));
    }

    @Test
    void anInstanceThatNeverReadCountsFromTheStart() {
        assertThat(delays(Lag.UNKNOWN, 0, false, store(0, 0, 0)).ack()).isEqualTo(NOW - START);
    }

    @Test
    void eachStageCountsWhatHasNotPassedIt() {
        assertThat(delays(Lag.NONE, 1_999_000, true, store(1_990_000, 1_980_000, 1_970_000)))
                .isEqualTo(new Delays(0, 10_000, 20_000, 30_000));
    }

    @Test
    void noStageIsAheadOfTheOneBeforeIt() {
        assertThat(delays(new Lag(50, 1), 1_950_000, true, store(1_999_000, 1_999_000, 1_999_000)))
                .isEqualTo(new Delays(50_000, 50_000, 50_000, 50_000));
    }

    @Test
    void aSourceWhoseClockIsAheadMakesNoneNegative() {
        assertThat(delays(Lag.UNKNOWN, NOW + 5_000, true, store(NOW + 5_000, NOW + 5_000, NOW + 5_000)))
                .isEqualTo(new Delays(0, 0, 0, 0));
    }

    private static Delays delays(Lag lag, long lastRead, boolean isPassing, StoreStats store) {
        return Delays.of(lag, lastRead, isPassing, store, START, NOW);
    }

    private static StoreStats store(long lastPut, long oldestToGet, long oldestToAck) {
        StoreProgress put = new StoreProgress(9, 900, 9, lastPut);
        StoreProgress others = new StoreProgress(5, 500, 5, 0);
        return new StoreStats(put, others, others, oldestToGet, oldestToAck, Duration.ZERO, RingConfig.DEFAULT);
    }
}
