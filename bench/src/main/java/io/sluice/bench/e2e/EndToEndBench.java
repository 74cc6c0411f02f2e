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
import org.jspecify.annotations.Nullable;

/** The program behind {@code e2e.sh}. */
public final class EndToEndBench {
    private final BenchOptions options;
    private final Path folder;
    private final List<Bridge> bridges = new ArrayList<>();
    private final @Nullable Profiles profiles;

    private EndToEndBench(BenchOptions options, Path folder, Path serverPackage) throws IOException {
        this.options = options;
        this.folder = folder;
        this.profiles = options.profile() == null ? null : new Profiles(folder.resolve("work/profile"));
        if (options.own()) {
            PackagedServer server = new PackagedServer(serverPackage, options.settings());
            bridges.add(profiles == null ? server : server.with(profiles));
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
        Results results = options.from().isEmpty() ? bench.run() : Results.read(options.from());
        Report report = new Report(results);
        System.out.println();
        System.out.print(report.table());
        if (options.threads()) {
            System.out.print(report.threads());
        }
        if (options.json() != null) {
            results.write(options.json());
        }
        if (options.report() != null) {
            new GoalReport(results, References.load()).write(options.report());
        }
        if (bench.profiles != null && options.profile() != null) {
            bench.profiles.write(options.profile());
        }
        System.exit(report.isComplete() ? 0 : 1);
    }

    private Results run() throws IOException, InterruptedException {
        List<RecordedBinlog> binlogs = new ArrayList<>();
        for (Workload workload : options.workloads()) {
            binlogs.add(RecordedBinlog.of(workload, Files.createDirectories(folder.resolve("workloads"))));
        }
        // One that is as quick as Kafka can be, not one that is quick to start.
        KafkaOptions broker = KafkaOptions.defaults()
                .jvmOptions("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC")
                .with("log.segment.delete.delay.ms", "1000");
        try (KafkaServer kafka = KafkaServer.start(broker)) {
            WarmBroker.make(kafka);
            Path work = folder.resolve("work");
            Run run = new Run(kafka, work, options.patience());
            Runtime.getRuntime().addShutdownHook(new Thread(run::stop, "stop-bridge"));
            CellBench cells = new CellBench(options, bridges, kafka, run, work);
            for (int i = 0; i < binlogs.size(); i++) {
                try (MySqlServer mysql = binlogs.get(i).startServer()) {
                    cells.measure(options.workloads().get(i), binlogs.get(i), mysql);
                }
            }
            return cells.results();
        }
    }
}
