package io.sluice.bench.e2e;

import io.sluice.bench.limit.RecordCopies;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lets bridges carry workloads, one at a time, each into topics of its own. For one thread, but for {@link #stop}. */
final class Run {
    /** The part of the rows after which a JVM counts as warm. */
    private static final double WARM_UP = 0.25;

    private final KafkaServer kafka;
    private final Path folder;
    private final Duration patience;
    private final Set<Bridge> prepared = new HashSet<>();
    private final RunningBridge running = new RunningBridge();
    private int runs;

    /**
     * Makes one.
     *
     * @param folder where bridges get their folders
     * @param patience how long a bridge may take
     */
    Run(KafkaServer kafka, Path folder, Duration patience) {
        this.kafka = kafka;
        this.folder = folder;
        this.patience = patience;
    }

    /**
     * Lets a bridge carry all of a workload, and says what it took.
     *
     * @param copies gets all records; null if nobody needs them
     */
    Measurement measure(
            Bridge bridge, Cell cell, RecordedBinlog binlog, MySqlServer mysql, @Nullable RecordCopies copies)
            throws IOException, InterruptedException {
        runs++;
        BridgeJob next = new BridgeJob(
                mysql.host(),
                mysql.port(),
                binlog,
                kafka.bootstrapServers(),
                "bench-" + runs,
                cell,
                Files.createDirectories(folder.resolve(bridge.name() + "-" + runs)));
        if (prepared.add(bridge)) {
            prepare(bridge, next.into(next.base() + "-first"));
        }
        createTopics(next);
        int partitions = cell.layout().partitions();
        try (TopicEnds ends = new TopicEnds(kafka.bootstrapServers(), next.topics(), partitions)) {
            return measure(bridge, next, ends, mysql, copies);
        } finally {
            kafka.deleteTopics(next.topics());
            Folders.delete(next.folder());
        }
    }

    private Measurement measure(
            Bridge bridge, BridgeJob next, TopicEnds ends, MySqlServer mysql, @Nullable RecordCopies copies)
            throws IOException, InterruptedException {
        ProcessUsage source = new ProcessUsage(mysql.pid());
        ProcessUsage broker = new ProcessUsage(kafka.pid());
        CpuSeconds before = new CpuSeconds(0, source.cpuSeconds(), broker.cpuSeconds());
        long startMillis = System.currentTimeMillis();
        CpuSamples samples = new CpuSamples(startMillis, before);
        Watch.Arrival arrival;
        long peakBytes;
        Map<String, Double> threads;
        try {
            ProcessUsage process = new ProcessUsage(running.start(bridge, next));
            arrival = new Watch(ends, process, source, broker, samples).await(patience);
            peakBytes = process.peakBytes();
            threads = process.cpuSecondsByThread();
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "%s, %s: %s. It said: %s"
                            .formatted(bridge.name(), next.cell(), e.getMessage(), bridge.complaints(next)),
                    e);
        } finally {
            running.stop();
        }
        Arrivals came = Arrivals.read(ends, arrival.ends(), bridge.reader(next), next.topics(), copies);
        Cell cell = next.cell();
        long rows = cell.workload().rows();
        AppendTimes times = came.times();
        long lastMillis = times.last().millis();
        AppendTimes.Moment warm = times.whenAtLeast((long) Math.ceil(rows * WARM_UP));
        return new Measurement(
                bridge.name(),
                cell.workload().name(),
                cell.form().spelled(),
                cell.layout().spelled(),
                cell.compression().spelled(),
                rows,
                (lastMillis - times.firstMillis()) / 1000.0,
                (lastMillis - startMillis) / 1000.0,
                Runtime.getRuntime().availableProcessors(),
                arrival.spent().minus(before),
                new Measurement.Steady(
                        times.last().rows() - warm.rows(),
                        (lastMillis - warm.millis()) / 1000.0,
                        arrival.spent().minus(samples.at(warm.millis()))),
                peakBytes,
                threads,
                came.records(),
                came.bytes(),
                came.problem(next.binlog().totals()));
    }

    private void prepare(Bridge bridge, BridgeJob first) throws IOException, InterruptedException {
        createTopics(first);
        try {
            bridge.prepare(first);
        } finally {
            kafka.deleteTopics(first.topics());
        }
    }

    private void createTopics(BridgeJob of) {
        for (String topic : of.topics()) {
            kafka.createTopic(
                    topic, of.cell().layout().partitions(), Map.of("message.timestamp.type", "LogAppendTime"));
        }
    }

    /** Stops the bridge that runs, if one does. */
    void stop() {
        running.stop();
    }
}
