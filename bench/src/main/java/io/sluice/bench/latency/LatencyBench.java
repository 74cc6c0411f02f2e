package io.sluice.bench.latency;

import io.sluice.bench.bridge.PackagedServer;
import io.sluice.bench.folder.Paths;
import io.sluice.bench.record.Format;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the time from a commit to the moment at which a Kafka consumer has the rows. */
@Command(
        name = "latency",
        description = "Measures the time from a commit in MySQL to the consumer of a topic.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class LatencyBench implements Callable<Integer> {
    /** The beginning of each load, which is not counted. */
    private static final Duration LEAD_IN = Duration.ofSeconds(1);

    private static final long WARM_UP_ROWS_PER_SECOND = 10_000;

    @Option(
            names = "--package",
            paramLabel = "FILE",
            description = "a server package. Default: the one of this checkout")
    private @Nullable Path serverPackage;

    @Option(
            names = "--loads",
            split = ",",
            description = "rows per second, or idle: a row every 200 ms (default: idle,1000,10000,50000)")
    private List<String> loads = List.of("idle", "1000", "10000", "50000");

    @Option(names = "--format", split = ",", description = "raw, flat, debezium (default: raw,flat)")
    private List<Format> formats = List.of(Format.RAW, Format.FLAT);

    @Option(names = "--seconds", description = "length of each load (default: ${DEFAULT-VALUE})")
    private long seconds = 10;

    @Option(names = "--warmup", description = "seconds of 10,000 rows/s before (default: ${DEFAULT-VALUE})")
    private long warmup = 20;

    @Option(names = "--connections", description = "connections that commit (default: ${DEFAULT-VALUE})")
    private int connections = 4;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a line for canal.properties")
    private List<String> settings = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException, SQLException {
        List<Schedule> schedules = new ArrayList<>();
        for (String load : loads) {
            schedules.add(schedule(load));
        }
        Schedule before = Schedule.steady(WARM_UP_ROWS_PER_SECOND, Duration.ZERO, Duration.ofSeconds(warmup));
        PackagedServer server =
                new PackagedServer("sluice", serverPackage == null ? Paths.ownPackage() : serverPackage, settings);
        LatencyReport report = new LatencyReport(run(server, before, schedules));
        System.out.printf("%n%s", report.table());
        return report.isComplete() ? 0 : 1;
    }

    private Schedule schedule(String load) {
        Duration length = Duration.ofSeconds(seconds);
        try {
            return load.equals("idle")
                    ? Schedule.idle(LEAD_IN, length)
                    : Schedule.steady(Long.parseLong(load), LEAD_IN, length);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--loads: '%s' is neither a number nor idle".formatted(load), e);
        }
    }

    private List<Figures> run(PackagedServer server, Schedule before, List<Schedule> schedules)
            throws IOException, InterruptedException, SQLException {
        List<Figures> figures = new ArrayList<>();
        KafkaOptions broker = KafkaOptions.defaults().jvmOptions("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC");
        try (KafkaServer kafka = KafkaServer.start(broker);
                MySqlServer mysql = MySqlServer.start(RecordedBinlog.sourceOptions())) {
            LatencyRun run = new LatencyRun(mysql, kafka, Paths.work(), connections);
            Runtime.getRuntime().addShutdownHook(new Thread(run::stop, "stop-bridge"));
            for (Format format : formats) {
                figures.addAll(run.measure(server, format, before, schedules));
            }
        }
        return figures;
    }
}
