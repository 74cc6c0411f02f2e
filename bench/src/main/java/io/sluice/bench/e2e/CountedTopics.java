package io.sluice.bench.e2e;

import io.sluice.bench.bridge.Bridge;
import io.sluice.bench.broker.NullBroker;
import io.sluice.bench.broker.Partition;
import io.sluice.bench.record.RecordReader;
import io.sluice.bench.workload.Totals;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Topics of a broker that only counts, so the bridge reports when all rows were sent. */
final class CountedTopics implements Topics {
    private final NullBroker broker;
    private final List<String> topics;

    CountedTopics(NullBroker broker, List<String> topics, int partitionsEach) {
        this.broker = broker;
        this.topics = topics;
        topics.forEach(topic -> broker.create(topic, partitionsEach));
    }

    @Override
    public Map<TopicPartition, Long> ends() {
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (String topic : topics) {
            List<Partition> partitions = broker.partitions(topic);
            for (int i = 0; i < partitions.size(); i++) {
                ends.put(new TopicPartition(topic, i), partitions.get(i).records());
            }
        }
        return ends;
    }

    @Override
    public boolean isComplete(Bridge bridge, Totals expected) throws IOException {
        return bridge.ackedRows() > expected.rows(); // with the marker
    }

    /** As if each record had the same number of rows. */
    @Override
    public Arrivals arrivals(Watch.Arrival seen, RecordReader reader, Totals expected) {
        AppendTimes times = new AppendTimes();
        long records = seen.recordsByMillis().lastEntry().getValue();
        long arrived = 0;
        for (Map.Entry<Long, Long> one : seen.recordsByMillis().entrySet()) {
            long now = Math.round((double) expected.rows() * one.getValue() / records);
            if (now > arrived) {
                times.add(one.getKey(), now - arrived);
                arrived = now;
            }
        }
        long bytes = topics.stream()
                .flatMap(topic -> broker.partitions(topic).stream())
                .mapToLong(Partition::bytes)
                .sum();
        String problem = broker.errors().isEmpty() ? null : broker.errors().get(0);
        return new Arrivals(records, bytes, times, "", problem);
    }

    @Override
    public void close() {
        topics.forEach(broker::delete);
    }
}
