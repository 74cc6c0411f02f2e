package io.sluice.bench.e2e;

import io.sluice.bench.bridge.ProcessUsage;
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

    /** Reading the times of all threads takes some milliseconds. */
    private static final Duration THREADS = Duration.ofSeconds(1);

    private final Topics topics;
    private final ProcessUsage bridge;
    private final Map<String, ProcessUsage> processes;
    private final CpuSamples samples;
    private final CpuSamples threads;

    /** Returns whether all rows are in the topics. */
    interface Completion {
        /** Called after the topics have not grown for a while. */
        boolean isComplete() throws IOException;
    }

    /**
     * Creates a watch.
     *
     * @param processes all processes by name, with the bridge's
     * @param samples receives the times of the processes, ten times a second
     * @param threads receives the times of the bridge's threads, every second
     */
    Watch(
            Topics topics,
            ProcessUsage bridge,
            Map<String, ProcessUsage> processes,
            CpuSamples samples,
            CpuSamples threads) {
        this.topics = topics;
        this.bridge = bridge;
        this.processes = processes;
        this.samples = samples;
        this.threads = threads;
    }

    /**
     * What was seen.
     *
     * @param ends the end offsets after the last record
     * @param recordsByMillis the number of records whenever it was found larger
     */
    record Arrival(Map<TopicPartition, Long> ends, NavigableMap<Long, Long> recordsByMillis) {
        /** When the last record was seen. */
        long millis() {
            return recordsByMillis.lastKey();
        }
    }

    /** Waits; fails if the bridge's process ends, or at the timeout. */
    Arrival await(Completion completion, Duration timeout) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        long quietSince = System.nanoTime();
        long threadsSampled = quietSince - THREADS.toNanos();
        Arrival reached = new Arrival(Map.of(), new TreeMap<>());
        while (true) {
            long now = System.nanoTime();
            if (!bridge.isAlive() || now - deadline > 0) {
                throw new IllegalStateException("%s, the topics ended at %s"
                        .formatted(bridge.isAlive() ? "timeout after " + timeout : "the process ended", reached.ends));
            }
            Map<TopicPartition, Long> offsets = topics.ends();
            Map<String, Double> spent = ProcessUsage.cpuSeconds(processes);
            long millis = System.currentTimeMillis();
            samples.add(millis, spent);
            if (now - threadsSampled >= THREADS.toNanos()) {
                threadsSampled = now;
                threads.add(millis, bridge.cpuSecondsByThread());
            }
            if (!offsets.equals(reached.ends)) {
                reached = new Arrival(offsets, reached.recordsByMillis);
                reached.recordsByMillis.put(
                        millis, offsets.values().stream().mapToLong(end -> end).sum());
                quietSince = now;
            } else if (now - quietSince > QUIET.toNanos()) {
                quietSince = now;
                if (completion.isComplete()) {
                    return reached;
                }
            }
            Thread.sleep(POLL.toMillis());
        }
    }
}
