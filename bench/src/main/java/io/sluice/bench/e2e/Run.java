package io.sluice.bench.e2e;

import io.sluice.bench.bridge.Bridge;
import io.sluice.bench.bridge.BridgeJob;
import io.sluice.bench.bridge.Cell;
import io.sluice.bench.bridge.ProcessUsage;
import io.sluice.bench.bridge.RunningBridge;
import io.sluice.bench.record.Format;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Totals;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs bridges, one at a time, each with topics of its own, and measures them. For one thread, except {@link #stop}. */
final class Run {
    private final Target target;
    private final Path folder;
    private final Duration timeout;
    private final Set<Bridge> prepared = new HashSet<>();
    private final Map<String, Fingerprint> firstByValues = new HashMap<>();
    private final RunningBridge running = new RunningBridge();
    private int jobs;

    /**
     * Creates a run.
     *
     * @param folder the parent of the bridges' folders
     * @param timeout the limit for a bridge and a workload
     */
    Run(Target target, Path folder, Duration timeout) {
        this.target = target;
        this.folder = folder;
        this.timeout = timeout;
    }

    /** Lets a bridge carry a whole workload and measures it. */
    Measurement measure(Bridge bridge, Cell cell, int number, RecordedBinlog binlog, MySqlServer mysql)
            throws IOException, InterruptedException {
        jobs++;
        BridgeJob job = new BridgeJob(
                mysql.host(),
                mysql.port(),
                binlog,
                target.bridgeServers(),
                "bench-" + jobs,
                cell,
                Files.createDirectories(folder.resolve(bridge.name() + "-" + jobs)));
        try {
            if (prepared.add(bridge)) {
                prepare(bridge, job.into(job.base() + "-first"));
            }
            try (Topics topics = createTopics(job)) {
                return measure(bridge, job, number, topics, mysql);
            }
        } finally {
            Folders.delete(job.folder());
        }
    }

    private Measurement measure(Bridge bridge, BridgeJob job, int number, Topics topics, MySqlServer mysql)
            throws IOException, InterruptedException {
        Map<String, ProcessUsage> processes = new HashMap<>();
        processes.put("source", new ProcessUsage(mysql.pid()));
        processes.put("broker", new ProcessUsage(target.pid()));
        CpuSamples samples = new CpuSamples();
        CpuSamples threadSamples = new CpuSamples();
        long startMillis = System.currentTimeMillis();
        samples.add(startMillis, ProcessUsage.cpuSeconds(processes));
        Watch.Arrival arrival;
        Totals expected = job.binlog().totals();
        long peakBytes;
        Map<String, Double> threads;
        try {
            ProcessUsage process = new ProcessUsage(running.start(bridge, job));
            processes.put(Measurement.BRIDGE, process);
            arrival = new Watch(topics, process, processes, samples, threadSamples)
                    .await(() -> topics.isComplete(bridge, expected), timeout);
            peakBytes = process.peakBytes();
            threads = process.cpuSecondsByThread();
            threadSamples.add(System.currentTimeMillis(), threads);
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "%s, %s: %s. Its log ends with: %s"
                            .formatted(bridge.name(), job.cell(), e.getMessage(), bridge.logTail(job)),
                    e);
        } finally {
            running.stop();
        }
        Arrivals arrived = topics.arrivals(arrival, bridge.reader(job), expected);
        AppendTimes times = arrived.times();
        long rows = job.cell().workload().rows();
        long lastMillis = times.last().millis();
        AppendTimes.Moment half = times.whenAtLeast((rows + 1) / 2);
        return new Measurement(
                bridge.name(),
                job.cell().name(),
                number,
                rows,
                (lastMillis - times.firstMillis()) / 1000.0,
                (lastMillis - startMillis) / 1000.0,
                samples.between(startMillis, times.whenAtLeast(1).millis()).getOrDefault(Measurement.BRIDGE, 0.0),
                samples.between(startMillis, arrival.millis()),
                new Measurement.SecondHalf(
                        times.last().rows() - half.rows(),
                        (lastMillis - half.millis()) / 1000.0,
                        samples.between(half.millis(), arrival.millis()),
                        threadSamples.between(half.millis(), arrival.millis())),
                peakBytes,
                threads,
                arrived.records(),
                arrived.bytes(),
                arrived.fingerprint(),
                arrived.problem() == null
                        ? difference(bridge, job.cell(), number, arrived.fingerprint())
                        : arrived.problem());
    }

    /**
     * Compares the fingerprint with the first one of the same workload and the same texts of values. Canal's two formats have the
     * same texts.
     */
    private @Nullable String difference(Bridge bridge, Cell cell, int number, String fingerprint) {
        String values = String.join(
                " ",
                bridge.family(),
                cell.workload().toString(),
                cell.format() == Format.DEBEZIUM ? "debezium" : "canal");
        Fingerprint own = new Fingerprint(fingerprint, "%s, %s, run %d".formatted(bridge.name(), cell, number));
        Fingerprint first = firstByValues.putIfAbsent(values, own);
        return first == null || first.hash().equals(fingerprint)
                ? null
                : "the column values differ from those of " + first.run();
    }

    private record Fingerprint(String hash, String run) {}

    private void prepare(Bridge bridge, BridgeJob first) throws IOException, InterruptedException {
        Topics topics = createTopics(first);
        try (topics) {
            bridge.prepare(first);
        }
    }

    private Topics createTopics(BridgeJob job) {
        return target.createTopics(job.topics(), job.cell().routing().partitions());
    }

    /** Stops the running bridge, if there is one. */
    void stop() {
        running.stop();
    }
}
