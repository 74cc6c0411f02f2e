package io.sluice.bench.e2e;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Workload;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The program behind {@code e2e.sh}. */
public final class EndToEndBench {
    private static final Logger LOG = LoggerFactory.getLogger(EndToEndBench.class);

    private final BenchOptions options;
    private final Path folder;
    private final List<Bridge> bridges = new ArrayList<>();
    private final List<Measurement> measurements = new ArrayList<>();

    private EndToEndBench(BenchOptions options, Path folder, Path serverPackage) {
        this.options = options;
        this.folder = folder;
        if (options.own()) {
            bridges.add(new PackagedServer(serverPackage, options.settings()));
        }
        for (Path peer : options.peers()) {
            bridges.add(new PeerScript(peer));
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (List.of(arguments).contains("--help")) {
            System.out.print(BenchOptions.USAGE);
            return;
        }
        BenchOptions options;
        try {
            options = BenchOptions.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.print(BenchOptions.USAGE);
            System.exit(2);
            return;
        }
        EndToEndBench bench = new EndToEndBench(
                options,
                Path.of(System.getProperty("sluice.bench.folder")),
                Path.of(System.getProperty("sluice.package")));
        Report report = bench.run();
        System.out.println();
        System.out.print(report.table());
        if (options.threads()) {
            System.out.print(report.threads());
        }
        if (options.json() != null) {
            report.writeJson(options.json());
        }
        System.exit(report.isComplete() ? 0 : 1);
    }

    private Report run() throws IOException, InterruptedException {
        List<RecordedBinlog> binlogs = new ArrayList<>();
        for (Workload workload : options.workloads()) {
            binlogs.add(RecordedBinlog.of(workload, Files.createDirectories(folder.resolve("workloads"))));
        }
        // One that is as quick as Kafka can be, not one that is quick to start.
        KafkaOptions broker = KafkaOptions.defaults()
                .jvmOptions("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC")
                .with("log.segment.delete.delay.ms", "1000");
        try (KafkaServer kafka = KafkaServer.start(broker)) {
            Run run = new Run(kafka, folder.resolve("work"), options.patience());
            Runtime.getRuntime().addShutdownHook(new Thread(run::stop, "stop-bridge"));
            for (int i = 0; i < binlogs.size(); i++) {
                try (MySqlServer mysql = binlogs.get(i).startServer()) {
                    measure(run, options.workloads().get(i), binlogs.get(i), mysql);
                }
            }
        }
        return new Report(measurements);
    }

    /** Bridges take turns, so that what else the machine does in the meantime hits them alike. */
    private void measure(Run run, Workload workload, RecordedBinlog binlog, MySqlServer mysql)
            throws IOException, InterruptedException {
        for (Cell cell : options.cells(workload)) {
            for (int i = options.warmup() ? -1 : 0; i < options.runs(); i++) {
                for (Bridge bridge : bridges) {
                    Measurement one = run.measure(bridge, cell, binlog, mysql);
                    LOG.info(
                            "{}: bridge={} cell={} rows_per_second={} cpu_seconds={} problem={}",
                            i < 0 ? "warm-up" : "run " + (i + 1),
                            one.bridge(),
                            cell,
                            Math.round(one.rowsPerSecond()),
                            one.cpuSeconds(),
                            one.problem());
                    if (i >= 0) {
                        measurements.add(one);
                    }
                }
            }
        }
    }
}
