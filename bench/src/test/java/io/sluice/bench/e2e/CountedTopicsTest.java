package io.sluice.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.broker.NullBroker;
import io.sluice.bench.e2e.AppendTimes.Moment;
import io.sluice.bench.record.Format;
import io.sluice.bench.record.RecordReader;
import io.sluice.bench.workload.Tally;
import io.sluice.bench.workload.Totals;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class CountedTopicsTest {
    @Test
    void rowsArriveAsTheirRecordsDo() {
        Map<Long, Long> records = Map.of(100L, 0L, 200L, 2L, 300L, 5L, 400L, 8L);
        Totals expected = new Totals(new Tally(80, 1, 1), Tally.NONE, Tally.NONE);
        try (NullBroker broker = new NullBroker(0);
                Topics topics = new CountedTopics(broker, List.of("t"), 1)) {
            assertThat(topics.ends()).isEqualTo(Map.of(new TopicPartition("t", 0), 0L));

            Arrivals arrivals = topics.arrivals(
                    new Watch.Arrival(Map.of(), new TreeMap<>(records)), RecordReader.of(Format.RAW), expected);

            assertThat(arrivals.records()).isEqualTo(8);
            assertThat(arrivals.times().firstMillis()).isEqualTo(200);
            assertThat(arrivals.times().whenAtLeast(40)).isEqualTo(new Moment(300, 50));
            assertThat(arrivals.times().last()).isEqualTo(new Moment(400, 80));
        }
    }
}
