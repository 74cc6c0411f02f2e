package io.sluice.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bench.e2e.AppendTimes.Moment;
import org.junit.jupiter.api.Test;

class AppendTimesTest {
    private final AppendTimes times = new AppendTimes();

    @Test
    void rowsOfPartitionsThatAreReadOneAfterTheOtherCountByTime() {
        times.add(100, 10);
        times.add(300, 10);
        times.add(200, 5);
        times.add(200, 5);

        assertThat(times.firstMillis()).isEqualTo(100);
        assertThat(times.whenAtLeast(10)).isEqualTo(new Moment(100, 10));
        assertThat(times.whenAtLeast(11)).isEqualTo(new Moment(200, 20));
        assertThat(times.last()).isEqualTo(new Moment(300, 30));
    }

    @Test
    void recordsWithoutRowsCountForTheFirstTimeOnly() {
        times.add(50, 0);
        times.add(100, 1);
        times.add(900, 0);

        assertThat(times.firstMillis()).isEqualTo(50);
        assertThat(times.last()).isEqualTo(new Moment(100, 1));
    }

    @Test
    void thereIsNoLastTimeWithoutRows() {
        times.add(50, 0);

        assertThatThrownBy(times::last).isInstanceOf(IllegalStateException.class);
    }
}
