package io.sluice.bench.e2e;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Tables;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Our own server, as an operator has it: unpacked, configured, and started by its script with {@code JAVA_OPTS}. */
public final class PackagedServer implements Bridge {
    private static final String DESTINATION = "bench";

    private final Path archive;
    private final List<String> moreSettings;

    /**
     * Makes one.
     *
     * @param archive the package, a tar.gz
     * @param moreSettings lines for its {@code canal.properties}
     */
    public PackagedServer(Path archive, List<String> moreSettings) {
        this.archive = archive;
        this.moreSettings = List.copyOf(moreSettings);
    }

    @Override
    public String name() {
        return "sluice";
    }

    @Override
    public long start(BridgeJob job) throws IOException {
        Path home = home(job);
        Files.createDirectories(home);
        Commands.require(home, Map.of(), List.of("tar", "xzf", archive.toString()));
        Files.write(home.resolve("conf/canal.properties"), serverSettings(job));
        Path instance = Files.createDirectories(home.resolve("conf").resolve(DESTINATION));
        Files.write(instance.resolve("instance.properties"), instanceSettings(job));
        Path output = job.folder().resolve("startup.out");
        int status = Script.run(
                home, Map.of(), output, List.of(home.resolve("bin/startup.sh").toString()));
        if (status != 0) {
            throw new IllegalStateException(
                    "startup.sh ended with status %d: %s".formatted(status, Script.tail(output)));
        }
        return Long.parseLong(Files.readString(home.resolve("bin/canal.pid")).strip());
    }

    /** What the bench must set, and no more: all else is as shipped. */
    private List<String> serverSettings(BridgeJob job) {
        List<String> lines = new ArrayList<>(List.of(
                "canal.destinations = " + DESTINATION,
                "canal.auto.scan = false",
                "canal.port = " + FreePorts.next(),
                "canal.metrics.pull.port = " + FreePorts.next(),
                "canal.serverMode = kafka",
                "canal.mq.flatMessage = " + (job.form() == Form.FLAT),
                "kafka.bootstrap.servers = " + job.bootstrapServers()));
        if (job.cell().compression() != Compression.NONE) {
            lines.add("kafka.compression.type = " + job.cell().compression().spelled());
        }
        lines.addAll(moreSettings);
        return lines;
    }

    private static List<String> instanceSettings(BridgeJob job) {
        List<String> lines = new ArrayList<>(List.of(
                "canal.instance.master.address = %s:%d".formatted(job.host(), job.port()),
                "canal.instance.dbUsername = " + RecordedBinlog.USER,
                "canal.instance.dbPassword = " + RecordedBinlog.PASSWORD,
                "canal.instance.master.journal.name = " + job.binlog().file(),
                "canal.instance.master.position = " + job.binlog().offset(),
                "canal.instance.filter.regex = " + Tables.SCHEMA + "\\\\..*",
                "canal.mq.topic = " + job.topic(),
                "canal.mq.partition = 0"));
        if (!job.topicRules().isEmpty()) {
            lines.add("canal.mq.dynamicTopic = " + job.topicRules());
        }
        String hash = job.cell().layout().hashRule();
        if (!hash.isEmpty()) {
            lines.add("canal.mq.partitionsNum = " + job.cell().layout().partitions());
            lines.add("canal.mq.partitionHash = " + hash.replace("\\", "\\\\"));
        }
        return lines;
    }

    @Override
    public void stop(BridgeJob job) throws IOException {
        Path script = home(job).resolve("bin/stop.sh");
        if (Files.exists(script)) {
            Script.run(
                    home(job),
                    Map.of("SLUICE_STOP_SECONDS", "10"),
                    job.folder().resolve("stop.out"),
                    List.of(script.toString()));
        }
    }

    @Override
    public String complaints(BridgeJob job) throws IOException {
        Path logs = home(job).resolve("logs");
        return Script.tail(logs.resolve("canal/canal.log"))
                + "\n"
                + Script.tail(logs.resolve(DESTINATION + "/" + DESTINATION + ".log"))
                + "\n"
                + Script.tail(logs.resolve("canal/canal_stdout.log"));
    }

    private static Path home(BridgeJob job) {
        return job.folder().resolve("server");
    }
}
