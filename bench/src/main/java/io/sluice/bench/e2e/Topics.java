package io.sluice.bench.e2e;

import io.sluice.bench.bridge.Bridge;
import io.sluice.bench.record.RecordReader;
import io.sluice.bench.workload.Totals;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** The topics of a run, which exist until this is closed. For one thread. */
interface Topics extends AutoCloseable {
    /** The end offset of each partition, which costs the broker next to nothing. */
    Map<TopicPartition, Long> ends();

    /** Returns whether all rows of a workload are in the topics, after these have not grown for a while. */
    boolean isComplete(Bridge bridge, Totals expected) throws IOException;

    /** What arrived. */
    Arrivals arrivals(Watch.Arrival seen, RecordReader reader, Totals expected);

    @Override
    void close();
}
