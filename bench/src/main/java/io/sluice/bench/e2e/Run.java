package io.sluice.bench.e2e;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Totals;
import io.sluice.bench.workload.Workload;
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

/** Lets bridges carry workloads, one at a time, each into a topic of its own. For one thread, but for {@link #stop}. */
final class Run {
    private static final Duration POLL = Duration.ofMillis(100);
    /** For so long nothing came before it is worth looking whether all has come. */
    private static final Duration QUIET = Duration.ofSeconds(1);

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
    Measurement measure(Bridge bridge, Workload workload, RecordedBinlog binlog, MySqlServer mysql, Form form)
            throws IOException, InterruptedException {
        runs++;
        String topic = "bench-" + runs;
        kafka.createTopic(topic, 1, Map.of("message.timestamp.type", "LogAppendTime"));
        BridgeJob next = new BridgeJob(
                mysql.host(),
                mysql.port(),
                binlog,
                kafka.bootstrapServers(),
                topic,
                form,
                Files.createDirectories(folder.resolve(bridge.name() + "-" + runs)));
        ProcessUsage source = new ProcessUsage(mysql.pid());
        ProcessUsage broker = new ProcessUsage(kafka.pid());
        double sourceBefore = source.cpuSeconds();
        double brokerBefore = broker.cpuSeconds();
        try (TopicEnd end = new TopicEnd(kafka.bootstrapServers(), topic)) {
            long startMillis = System.currentTimeMillis();
            Arrival arrival;
            long peakBytes;
            Map<String, Double> threads;
            try {
                ProcessUsage process = new ProcessUsage(start(bridge, next));
                arrival = await(end, process, source, broker, bridge, next);
                peakBytes = process.peakBytes();
                threads = process.cpuSecondsByThread();
            } finally {
                stop();
            }
            Check check = check(end, arrival.offset, bridge.reader(next), binlog.totals());
            return new Measurement(
                    bridge.name(),
                    workload.name(),
                    form.spelled(),
                    workload.rows(),
                    (arrival.lastMillis - end.firstAppendMillis(arrival.offset)) / 1000.0,
                    (arrival.lastMillis - startMillis) / 1000.0,
                    arrival.cpuSeconds,
                    arrival.sourceCpuSeconds - sourceBefore,
                    arrival.brokerCpuSeconds - brokerBefore,
                    peakBytes,
                    threads,
                    check.records,
                    check.bytes,
                    check.problem);
        } finally {
            deleteTopic(topic);
            Folders.delete(next.folder());
        }
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

    /** The end of the topic with everything in it, and what the processes had spent when it was reached. */
    private record Arrival(
            long offset, long lastMillis, double cpuSeconds, double sourceCpuSeconds, double brokerCpuSeconds) {}

    private Arrival await(
            TopicEnd end,
            ProcessUsage process,
            ProcessUsage source,
            ProcessUsage broker,
            Bridge bridge,
            BridgeJob carried)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        long quietSince = System.nanoTime();
        boolean looked = true;
        Arrival reached = new Arrival(0, 0, 0, 0, 0);
        while (true) {
            long now = System.nanoTime();
            if (!process.isAlive() || now - deadline > 0) {
                throw new IllegalStateException("%s %s after %d records of %s. It said: %s"
                        .formatted(
                                bridge.name(),
                                process.isAlive() ? "was not done in time" : "ended",
                                reached.offset,
                                carried.form().spelled(),
                                bridge.complaints(carried)));
            }
            long offset = end.offset();
            if (offset != reached.offset) {
                reached = new Arrival(offset, 0, process.cpuSeconds(), source.cpuSeconds(), broker.cpuSeconds());
                quietSince = now;
                looked = false;
            } else if (!looked && now - quietSince > QUIET.toNanos()) {
                looked = true;
                Long lastMillis = end.markerAppendMillis(offset);
                if (lastMillis != null) {
                    return new Arrival(
                            offset, lastMillis, reached.cpuSeconds, reached.sourceCpuSeconds, reached.brokerCpuSeconds);
                }
            }
            Thread.sleep(POLL.toMillis());
        }
    }

    private record Check(long records, long bytes, @Nullable String problem) {}

    private static Check check(TopicEnd end, long offset, RecordReader reader, Totals expected) {
        ArrivedRows rows = new ArrivedRows();
        long[] counts = new long[2];
        end.readAll(offset, record -> {
            counts[0]++;
            counts[1] += record.value().length + (record.key() == null ? 0 : record.key().length);
            try {
                reader.read(record.value(), rows);
            } catch (IOException | RuntimeException e) {
                throw new IllegalStateException(
                        "the record at offset %d is not what was asked for: %s".formatted(record.offset(), e), e);
            }
        });
        Totals arrived = rows.totals();
        return new Check(
                counts[0],
                counts[1],
                arrived.equals(expected) ? null : "expected %s, but %s came".formatted(expected, arrived));
    }

    private void deleteTopic(String topic) throws InterruptedException {
        try (Admin admin = kafka.admin()) {
            admin.deleteTopics(List.of(topic)).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("could not delete topic " + topic, e.getCause());
        }
    }
}
