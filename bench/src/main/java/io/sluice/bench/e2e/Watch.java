package io.sluice.bench.e2e;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Waits until the last change is in Kafka, and looks at the processes meanwhile. For one thread. */
final class Watch {
    private static final Duration POLL = Duration.ofMillis(100);
    /** For so long nothing came before it is worth looking whether all has come. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    private final TopicEnds ends;
    private final ProcessUsage bridge;
    private final ProcessUsage source;
    private final ProcessUsage broker;
    private final CpuSamples samples;

    /**
     * Makes one.
     *
     * @param samples gets what the processes had spent, ten times a second
     */
    Watch(TopicEnds ends, ProcessUsage bridge, ProcessUsage source, ProcessUsage broker, CpuSamples samples) {
        this.ends = ends;
        this.bridge = bridge;
        this.source = source;
        this.broker = broker;
        this.samples = samples;
    }

    /** The ends of the topics with everything in them, and what the processes had spent when they were reached. */
    record Arrival(Map<TopicPartition, Long> ends, CpuSeconds spent) {}

    /** Waits; fails if the bridge ends before, or not all has come in time. */
    Arrival await(Duration patience) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        long quietSince = System.nanoTime();
        boolean looked = true;
        Arrival reached = new Arrival(Map.of(), CpuSeconds.NONE);
        while (true) {
            long now = System.nanoTime();
            if (!bridge.isAlive() || now - deadline > 0) {
                throw new IllegalStateException("%s when the topics were at %s"
                        .formatted(bridge.isAlive() ? "was not done in time" : "ended", reached.ends));
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
