package io.sluice.bench.e2e;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
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

    /**
     * Creates a watch.
     *
     * @param samples receives ten samples a second
     */
    Watch(TopicEnds ends, ProcessUsage bridge, ProcessUsage source, ProcessUsage broker, CpuSamples samples) {
        this.ends = ends;
        this.bridge = bridge;
        this.source = source;
        this.broker = broker;
        this.samples = samples;
    }

    /** The end offsets after the last record, and the processor time when they were reached first. */
    record Arrival(Map<TopicPartition, Long> ends, CpuSeconds spent) {}

    /** Waits; fails if the bridge's process ends, or at the timeout. */
    Arrival await(Duration timeout) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        long quietSince = System.nanoTime();
        boolean looked = true;
        Arrival reached = new Arrival(Map.of(), CpuSeconds.NONE);
        while (true) {
            long now = System.nanoTime();
            if (!bridge.isAlive() || now - deadline > 0) {
                throw new IllegalStateException("%s, the topics ended at %s"
                        .formatted(bridge.isAlive() ? "timeout after " + timeout : "the process ended", reached.ends));
            }
            Map<TopicPartition, Long> offsets = ends.offsets();
            CpuSeconds spent = new CpuSeconds(bridge.cpuSeconds(), source.cpuSeconds(), broker.cpuSeconds());
            samples.add(System.currentTimeMillis(), spent);
            if (!offsets.equals(reached.ends)) {
                reached = new Arrival(offsets, spent);
                quietSince = now;
                looked = false;
            } else if (!looked && now - quietSince > QUIET.toNanos()) {
                looked = true;
                if (ends.hasMarker(offsets)) {
                    return reached;
                }
            }
            Thread.sleep(POLL.toMillis());
        }
    }
}
