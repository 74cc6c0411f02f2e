package io.sluice.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.e2e.AppendTimes.Moment;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    @Test
    void rowsThatAreNotReadArriveAsTheirRecordsDo() {
        Map<Long, Long> records = Map.of(100L, 0L, 200L, 2L, 300L, 5L, 400L, 8L);

        Arrivals arrivals = Arrivals.unread(new TreeMap<>(records), 4711, 80, null);

        assertThat(arrivals.records()).isEqualTo(8);
        assertThat(arrivals.bytes()).isEqualTo(4711);
        assertThat(arrivals.times().firstMillis()).isEqualTo(200);
        assertThat(arrivals.times().whenAtLeast(40)).isEqualTo(new Moment(300, 50));
        assertThat(arrivals.times().last()).isEqualTo(new Moment(400, 80));
    }
}
