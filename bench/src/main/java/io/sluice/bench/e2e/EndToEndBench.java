package io.sluice.bench.e2e;

import io.sluice.bench.bridge.Bridge;
import io.sluice.bench.bridge.Cell;
import io.sluice.bench.bridge.Compression;
import io.sluice.bench.bridge.PackagedServer;
import io.sluice.bench.bridge.PeerScript;
import io.sluice.bench.bridge.Profiler;
import io.sluice.bench.bridge.Routing;
import io.sluice.bench.bridge.UnsupportedCellException;
import io.sluice.bench.folder.Paths;
import io.sluice.bench.record.Format;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures bridges from a recorded binlog to Kafka. */
@Command(
        name = "e2e",
        description = "Measures throughput, processor time and memory from MySQL to Kafka.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class EndToEndBench implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(EndToEndBench.class);

    @Option(
            names = "--package",
            paramLabel = "[NAME=]FILE",
            description =
                    "a server package (tar.gz); several take turns, and ratios are to the first. Default: the one of this checkout")
    private List<String> packages = List.of();

    @Option(
            names = "--peer",
            paramLabel = "SCRIPT",
            description = "a script that starts another product, such as bench/peers/debezium.sh")
    private List<Path> peers = List.of();

    @Option(names = "--peers-only", description = "do not measure a server package")
    private boolean peersOnly;

    @Option(
            names = "--cells",
            paramLabel = "12",
            description = "all workloads and routings, the formats raw and flat, no compression: 12 cells")
    private @Nullable Integer cells;

    @Option(names = "--workload", split = ",", description = "mixed (default), batch")
    private List<WorkloadKind> workloads = List.of(WorkloadKind.MIXED);

    @Option(names = "--format", split = ",", description = "raw, flat, debezium (default: raw,flat)")
    private List<Format> formats = List.of(Format.RAW, Format.FLAT);

    @Option(
            names = "--routing",
            split = ",",
            converter = Routing.Converter.class,
            description =
                    "1x1 (default): one partition; 1xN, such as 1x64: N partitions, by key; topics: a topic for each table; topicsN, such as topics200: N tables")
    private List<Routing> routings = List.of(Routing.SINGLE);

    @Option(names = "--compression", split = ",", description = "none (default), lz4, zstd, gzip")
    private List<Compression> compressions = List.of(Compression.NONE);

    @Option(names = "--rows", description = "rows of each workload (default: mixed 1000000, batch 2000000)")
    private long rows;

    @Option(names = "--seed", description = "seed of the rows (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(
            names = "--tables",
            split = ",",
            description = "numbers of tables over which the changes are spread (default: mixed 2, batch 1)")
    private List<Integer> tables = List.of();

    @Option(
            names = "--source",
            paramLabel = "KEY=VALUE",
            description = "an option of mysqld, such as binlog-checksum=NONE")
    private Map<String, String> sourceOptions = Map.of();

    @Option(names = "--runs", description = "runs of each bridge in each cell (default: ${DEFAULT-VALUE})")
    private int runs = 1;

    @Option(names = "--warmup", description = "one more run of each bridge in each cell before, which is not counted")
    private boolean warmup;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a line for the canal.properties of the packages")
    private List<String> settings = List.of();

    @Option(names = "--threads", description = "also print the processor time of the second half by threads")
    private boolean threads;

    @Option(
            names = "--page",
            paramLabel = "FILE",
            description = "the page of results, with a JSON file beside it (default: bench/target/e2e.md)")
    private @Nullable Path page;

    @Option(
            names = "--profile",
            paramLabel = "FOLDER",
            description = "write a flame graph of each run of a package there, by async-profiler")
    private @Nullable Path profile;

    @Option(
            names = "--broker",
            description = "kafka (default); null: acknowledges at once, keeps nothing, and only counts")
    private Target.Kind broker = Target.Kind.KAFKA;

    @Option(
            names = "--delay",
            paramLabel = "MILLIS",
            description = "how much later the broker's answers arrive at a bridge")
    private long delay;

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "limit for one run (default: ${DEFAULT-VALUE})")
    private long timeout = 900;

    private final List<Measurement> measurements = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (cells != null) {
            if (cells != 12) {
                throw new IllegalArgumentException("--cells %d: 12 is the only preset".formatted(cells));
            }
            workloads = List.of(WorkloadKind.values());
            formats = List.of(Format.RAW, Format.FLAT);
            routings = Stream.of("1x1", "1x3", "topics").map(Routing::of).toList();
        }
        if (runs < 1 || rows < 0 || delay < 0) {
            throw new IllegalArgumentException("--runs, --rows and --delay must be positive");
        }
        if (broker == Target.Kind.NULL && !peers.isEmpty()) {
            throw new IllegalArgumentException("--broker null cannot determine when a --peer has sent all rows");
        }
        List<String> conditions = new ArrayList<>(Conditions.ofThisMachine());
        List<Bridge> bridges = bridges(conditions);
        if (bridges.isEmpty()) {
            throw new IllegalArgumentException("--peers-only needs a --peer");
        }
        conditions.add(
                "runs of each bridge in each cell: %d, in alternating order; JAVA_OPTS: %s; settings: %s; source: %s; broker: %s, delayed by %d ms"
                        .formatted(
                                runs,
                                System.getenv().getOrDefault("JAVA_OPTS", "none"),
                                settings,
                                sourceOptions,
                                broker,
                                delay));
        Page target = new Page(page == null ? Paths.target().resolve("e2e.md") : page, conditions);
        measureAll(bridges, target);
        Report report = new Report(measurements);
        System.out.printf("%n%s%n", report.table());
        if (threads) {
            System.out.printf("CPU s per M rows of the second half, by threads:%n%n%s%n", report.threadTable());
        }
        System.out.printf("written to %s%n", target.file());
        return report.isCorrect() ? 0 : 1;
    }

    private List<Bridge> bridges(List<String> conditions) throws IOException {
        Profiler profiler = profile == null ? null : new Profiler(Paths.work(), profile);
        List<Bridge> bridges = new ArrayList<>();
        List<String> given =
                peersOnly ? List.of() : packages.isEmpty() ? List.of("sluice=" + Paths.ownPackage()) : packages;
        for (String one : given) {
            int equals = one.indexOf('=');
            String name = equals > 0 ? one.substring(0, equals) : Character.toString('A' + bridges.size());
            Path file = Path.of(one.substring(equals + 1)).toAbsolutePath();
            conditions.add(Conditions.ofPackage(name, file));
            bridges.add(new PackagedServer(name, file, settings, profiler));
        }
        for (Path peer : peers) {
            PeerScript script = new PeerScript(peer);
            conditions.add("%s: `%s`".formatted(script.name(), peer));
            bridges.add(script);
        }
        if (bridges.stream().map(Bridge::name).distinct().count() < bridges.size()) {
            throw new IllegalArgumentException("two bridges have the same name: use --package NAME=FILE");
        }
        return bridges;
    }

    private void measureAll(List<Bridge> bridges, Page results) throws IOException, InterruptedException {
        Map<Workload, List<Cell>> cellsByWorkload = workloads.stream()
                .map(kind -> new Workload(kind, rows == 0 ? kind.usualRows() : rows, seed))
                .flatMap(workload ->
                        tables.isEmpty() ? Stream.of(workload) : tables.stream().map(workload::over))
                .flatMap(workload -> Cell.of(workload, formats, routings, compressions).stream())
                .collect(Collectors.groupingBy(Cell::workload, LinkedHashMap::new, Collectors.toList()));
        Map<Workload, RecordedBinlog> binlogs = new HashMap<>();
        for (Workload workload : cellsByWorkload.keySet()) {
            binlogs.put(workload, RecordedBinlog.of(workload, Paths.workloads()));
        }
        // Options for throughput; those of the testkit are for a quick start.
        KafkaOptions options = KafkaOptions.defaults()
                .jvmOptions("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC")
                .with("log.segment.delete.delay.ms", "1000");
        try (Target target = Target.start(broker, options, Duration.ofMillis(delay))) {
            WarmBroker.warm(target, compressions);
            Run run = new Run(target, Paths.work(), Duration.ofSeconds(timeout));
            Runtime.getRuntime().addShutdownHook(new Thread(run::stop, "stop-bridge"));
            for (Map.Entry<Workload, List<Cell>> cells : cellsByWorkload.entrySet()) {
                RecordedBinlog binlog = Objects.requireNonNull(binlogs.get(cells.getKey()));
                try (MySqlServer mysql = binlog.startServer(sourceOptions)) {
                    for (Cell cell : cells.getValue()) {
                        measure(run, bridges, cell, binlog, mysql);
                        results.write(measurements);
                    }
                }
            }
        }
    }

    /** Lets the bridges take turns, in the opposite order in every second run, so that a machine's drift affects all alike. */
    private void measure(Run run, List<Bridge> bridges, Cell cell, RecordedBinlog binlog, MySqlServer mysql)
            throws IOException, InterruptedException {
        List<Bridge> order = new ArrayList<>(bridges);
        List<Measurement> ofCell = new ArrayList<>();
        for (int number = warmup ? 0 : 1; number <= runs; number++) {
            for (Bridge bridge : order) {
                try {
                    Measurement one = run.measure(bridge, cell, number, binlog, mysql);
                    LOG.info(
                            "measured: cell={} bridge={} run={} rows_per_second={} cpu_seconds={} second_half={} problem={}",
                            cell,
                            bridge.name(),
                            number,
                            Math.round(one.rowsPerSecond()),
                            "%.2f".formatted(one.cpuSecondsPerMillionRows()),
                            "%.2f".formatted(one.secondHalf().cpuSecondsPerMillionRows()),
                            one.problem());
                    if (number > 0) {
                        ofCell.add(one);
                    }
                } catch (UnsupportedCellException e) {
                    LOG.info("not supported: cell={} bridge={} reason={}", cell, bridge.name(), e.getMessage());
                }
            }
            Collections.reverse(order);
        }
        // The report takes the first bridge of a cell as the base of its ratios.
        for (Bridge bridge : bridges) {
            ofCell.stream().filter(one -> one.bridge().equals(bridge.name())).forEach(measurements::add);
        }
    }
}
