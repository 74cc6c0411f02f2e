package io.sluice.bench.e2e;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Tables;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Our own server as an operator has it, in the mode in which clients pull. */
final class PullServer implements AutoCloseable {
    static final String DESTINATION = "bench";

    private final Path home;
    private final int port = FreePorts.next();

    /** Unpacks and configures it; all that need not be set is as shipped. */
    PullServer(Path archive, Path home, MySqlServer mysql, RecordedBinlog binlog) throws IOException {
        this.home = home;
        Files.createDirectories(home);
        Commands.require(home, Map.of(), List.of("tar", "xzf", archive.toString()));
        Files.write(
                home.resolve("conf/canal.properties"),
                List.of(
                        "canal.destinations = " + DESTINATION,
                        "canal.auto.scan = false",
                        "canal.ip = 127.0.0.1",
                        "canal.port = " + port,
                        "canal.metrics.pull.port = " + FreePorts.next(),
                        "canal.serverMode = tcp"));
        Path instance = Files.createDirectories(home.resolve("conf").resolve(DESTINATION));
        Files.write(
                instance.resolve("instance.properties"),
                List.of(
                        "canal.instance.master.address = %s:%d".formatted(mysql.host(), mysql.port()),
                        "canal.instance.dbUsername = " + RecordedBinlog.USER,
                        "canal.instance.dbPassword = " + RecordedBinlog.PASSWORD,
                        "canal.instance.master.journal.name = " + binlog.file(),
                        "canal.instance.master.position = " + binlog.offset(),
                        "canal.instance.filter.regex = " + Tables.SCHEMA + "\\\\..*",
                        "canal.instance.tsdb.enable = false"));
    }

    /** Starts it, and returns its process's id. */
    long start() throws IOException {
        Path output = home.resolve("startup.out");
        int status = Script.run(
                home,
                Map.of("SLUICE_CLASS_ARCHIVE", "off"),
                output,
                List.of(home.resolve("bin/startup.sh").toString()));
        if (status != 0) {
            throw new IllegalStateException(
                    "startup.sh ended with status %d: %s".formatted(status, Script.tail(output)));
        }
        return Long.parseLong(Files.readString(home.resolve("bin/canal.pid")).strip());
    }

    /** What it said that may explain a failure. */
    String complaints() throws IOException {
        Path logs = home.resolve("logs");
        return Script.tail(logs.resolve("canal/canal.log"))
                + "\n"
                + Script.tail(logs.resolve(DESTINATION + "/" + DESTINATION + ".log"));
    }

    int port() {
        return port;
    }

    @Override
    public void close() throws IOException {
        Path script = home.resolve("bin/stop.sh");
        if (Files.exists(script)) {
            Script.run(home, Map.of("SLUICE_STOP_SECONDS", "10"), home.resolve("stop.out"), List.of(script.toString()));
        }
        Folders.delete(home);
    }
}
