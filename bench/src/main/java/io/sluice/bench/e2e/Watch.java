package io.sluice.bench.e2e;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/** Waits until the last change is in Kafka, and samples the processes meanwhile. For one thread. */
final class Watch {
    private static final Duration POLL = Duration.ofMillis(100);
    /** The topics must not grow for this time before they are searched for the last change. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    private final TopicEnds ends;
    private final ProcessUsage bridge;
    private final ProcessUsage source;
    private final ProcessUsage broker;
    private final CpuSamples samples;
    private final Completion completion;

    /** Tells whether all rows are in the topics. */
    interface Completion {
        /** Called after the topics have not grown for a while; {@code ends} has their end offsets. */
        boolean isComplete(Map<TopicPartition, Long> ends) throws IOException;
    }

    /**
     * Creates a watch.
     *
     * @param samples receives ten samples a second
     */
    Watch(
            TopicEnds ends,
            ProcessUsage bridge,
            ProcessUsage source,
            ProcessUsage broker,
            CpuSamples samples,
            Completion completion) {
        this.ends = ends;
        this.bridge = bridge;
        this.source = source;
        this.broker = broker;
        this.samples = samples;
        this.completion = completion;
    }

    /**
     * What was seen.
     *
     * @param ends the end offsets after the last record
     * @param spent the processor time when they were reached first
     * @param recordsByMillis the number of records whenever it was found larger
     */
    record Arrival(Map<TopicPartition, Long> ends, CpuSeconds spent, NavigableMap<Long, Long> recordsByMillis) {}

    /** Waits; fails if the bridge's process ends, or at the timeout. */
    Arrival await(Duration timeout) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        long quietSince = System.nanoTime();
        Arrival reached = new Arrival(Map.of(), CpuSeconds.NONE, new TreeMap<>());
        while (true) {
            long now = System.nanoTime();
            if (!bridge.isAlive() || now - deadline > 0) {
                throw new IllegalStateException("%s, the topics ended at %s"
                        .formatted(bridge.isAlive() ? "timeout after " + timeout : "the process ended", reached.ends));
            }
            Map<TopicPartition, Long> offsets = ends.offsets();
            CpuSeconds spent = new CpuSeconds(bridge.cpuSeconds(), source.cpuSeconds(), broker.cpuSeconds());
            long millis = System.currentTimeMillis();
            samples.add(millis, spent);
            if (!offsets.equals(reached.ends)) {
                reached = new Arrival(offsets, spent, reached.recordsByMillis);
                reached.recordsByMillis.put(
                        millis, offsets.values().stream().mapToLong(end -> end).sum());
                quietSince = now;
            } else if (now - quietSince > QUIET.toNanos()) {
                quietSince = now;
                if (completion.isComplete(offsets)) {
                    return reached;
                }
            }
            Thread.sleep(POLL.toMillis());
        }
    }
}
