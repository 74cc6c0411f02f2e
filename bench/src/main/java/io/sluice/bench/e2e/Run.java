package io.sluice.bench.e2e;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/** Lets bridges carry workloads, one at a time, each into topics of its own. For one thread, but for {@link #stop}. */
final class Run {
    /** The part of the rows after which a JVM counts as warm. */
    private static final double WARM_UP = 0.25;

    private final KafkaServer kafka;
    private final Path folder;
    private final Duration patience;
    private int runs;
    private @Nullable Bridge running;
    private @Nullable BridgeJob job;

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

    /** Lets a bridge carry all of a workload, and says what it took. */
    Measurement measure(Bridge bridge, Cell cell, RecordedBinlog binlog, MySqlServer mysql)
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
        int partitions = cell.layout().partitions();
        for (String topic : next.topics()) {
            kafka.createTopic(topic, partitions, Map.of("message.timestamp.type", "LogAppendTime"));
        }
        try (TopicEnds ends = new TopicEnds(kafka.bootstrapServers(), next.topics(), partitions)) {
            return measure(bridge, next, ends, mysql);
        } finally {
            deleteTopics(next.topics());
            Folders.delete(next.folder());
        }
    }

    private Measurement measure(Bridge bridge, BridgeJob next, TopicEnds ends, MySqlServer mysql)
            throws IOException, InterruptedException {
        ProcessUsage source = new ProcessUsage(mysql.pid());
        ProcessUsage broker = new ProcessUsage(kafka.pid());
        double sourceBefore = source.cpuSeconds();
        double brokerBefore = broker.cpuSeconds();
        long startMillis = System.currentTimeMillis();
        CpuSamples samples = new CpuSamples(startMillis);
        Watch.Arrival arrival;
        long peakBytes;
        Map<String, Double> threads;
        try {
            ProcessUsage process = new ProcessUsage(start(bridge, next));
            arrival = new Watch(ends, process, source, broker, samples).await(patience);
            peakBytes = process.peakBytes();
            threads = process.cpuSecondsByThread();
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "%s, %s: %s. It said: %s"
                            .formatted(bridge.name(), next.cell(), e.getMessage(), bridge.complaints(next)),
                    e);
        } finally {
            stop();
        }
        Arrivals came = Arrivals.read(ends, arrival.ends(), next.form());
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
                arrival.cpuSeconds(),
                new Measurement.Steady(
                        times.last().rows() - warm.rows(),
                        (lastMillis - warm.millis()) / 1000.0,
                        arrival.cpuSeconds() - samples.at(warm.millis())),
                arrival.sourceCpuSeconds() - sourceBefore,
                arrival.brokerCpuSeconds() - brokerBefore,
                peakBytes,
                threads,
                came.records(),
                came.bytes(),
                came.problem(next.binlog().totals()));
    }

    private long start(Bridge bridge, BridgeJob next) throws IOException {
        synchronized (this) {
            running = bridge;
            job = next;
        }
        return bridge.start(next);
    }

    /** Stops the bridge that runs, if one does. */
    synchronized void stop() {
        Bridge bridge = running;
        BridgeJob carried = job;
        running = null;
        job = null;
        if (bridge != null && carried != null) {
            try {
                bridge.stop(carried);
            } catch (IOException e) {
                throw new UncheckedIOException("could not stop " + bridge.name(), e);
            }
        }
    }

    private void deleteTopics(List<String> topics) throws InterruptedException {
        try (Admin admin = kafka.admin()) {
            admin.deleteTopics(topics).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("could not delete topics " + topics, e.getCause());
        }
    }
}
