package io.sluice.bench.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.schema.table.TableName;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.OncePerBuild;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recorded binlog of a workload, in the data folder of a stopped server. Recording a million rows takes a minute, so a binlog is
 * kept for each workload, size and seed.
 *
 * @param data the server's data folder
 * @param file the binlog file in which the workload begins
 * @param offset the offset of its first event
 * @param totals the row changes in it
 */
public record RecordedBinlog(Path data, String file, long offset, Totals totals) {
    /** The user with the privileges of a replica, and its password. */
    public static final String USER = "canal";

    public static final String PASSWORD = "canal";

    /** Must be incremented when a workload changes, so that it is recorded again. */
    private static final int VERSION = 3;

    private static final Logger LOG = LoggerFactory.getLogger(RecordedBinlog.class);

    /** The recorded binlog of a workload, recorded now if it is not yet; {@code folder} is the folder of all binlogs. */
    public static RecordedBinlog of(Workload workload, Path folder) {
        String name = "%s-v%d".formatted(workload.folder(), VERSION);
        return at(OncePerBuild.folder(folder.resolve(name), into -> make(workload, into)));
    }

    /** The recorded binlog in a folder that {@link #folder()} has returned. */
    public static RecordedBinlog at(Path folder) {
        try {
            RecordedBinlog moved = new ObjectMapper().readValue(description(folder), RecordedBinlog.class);
            return new RecordedBinlog(folder.resolve("data"), moved.file, moved.offset, moved.totals);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The argument of {@link #at}. */
    public Path folder() {
        return Objects.requireNonNull(data.getParent(), "a data folder is within another");
    }

    /** Starts the server that has written the binlog. */
    public MySqlServer startServer() {
        return startServer(Map.of());
    }

    /** Starts the server that has written the binlog, with more options of {@code mysqld} by name. */
    public MySqlServer startServer(Map<String, String> more) {
        MySqlOptions options = options(data);
        for (Map.Entry<String, String> option : more.entrySet()) {
            options = options.with(option.getKey(), option.getValue());
        }
        return MySqlServer.start(options);
    }

    private static MySqlOptions options(Path data) {
        return sourceOptions()
                .dataDirectory(data)
                .with("max-connections", "500")
                .with("table-open-cache", "12000")
                .with("table-definition-cache", "12000")
                .with("binlog-expire-logs-seconds", "0")
                .with("default-time-zone", "+00:00");
    }

    /** Options of a source that does not wait for its disk, which is not what is measured. */
    public static MySqlOptions sourceOptions() {
        return MySqlOptions.defaults()
                .with("innodb-buffer-pool-size", "256M")
                .with("innodb-flush-log-at-trx-commit", "0")
                .with("innodb-redo-log-capacity", "256M")
                .with("max-binlog-size", "1G");
    }

    private static void make(Workload workload, Path into) {
        LOG.info("recording a binlog: workload={}", workload);
        long begin = System.nanoTime();
        try (MySqlServer server = MySqlServer.start(options(into.resolve("data")))) {
            server.createReplicationUser(USER, PASSWORD, AuthPlugin.MYSQL_NATIVE_PASSWORD);
            createTables(server, workload.tableCount());
            BinlogEnd start = server.rotateBinlog();
            Totals totals = change(server, workload.script());
            new ObjectMapper()
                    .writeValue(
                            description(into),
                            new RecordedBinlog(into.resolve("data"), start.file(), start.offset(), totals));
            LOG.info("recorded a binlog: seconds={}", (System.nanoTime() - begin) / 1_000_000_000);
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("cannot record the binlog of " + workload, e);
        }
    }

    private static List<Path> filesFrom(Path data, String first) throws IOException {
        try (Stream<Path> files = Files.list(data)) {
            return files.filter(file -> file.getFileName().toString().matches("binlog\\.[0-9]+"))
                    .filter(file -> file.getFileName().toString().compareTo(first) >= 0)
                    .sorted()
                    .toList();
        }
    }

    /** The events, from the files; the server must not be running. */
    public EventSource open() throws IOException {
        return new RecordedEvents(filesFrom(data, file), offset);
    }

    /** The {@code CREATE TABLE} statements of the usual tables. */
    public Map<TableName, String> definitions() {
        Map<TableName, String> definitions = new HashMap<>();
        for (Tables.TableText table : Tables.all()) {
            definitions.put(new TableName(Tables.SCHEMA, table.name()), table.create());
        }
        return definitions;
    }

    private static void createTables(MySqlServer server, int count) throws SQLException {
        server.execute("CREATE DATABASE " + Tables.SCHEMA);
        try (Connection connection = connect(server);
                StatementPackets statements = new StatementPackets(connection)) {
            Tables.all(count).forEach(table -> statements.accept(table.create()));
            statements.flush();
        }
    }

    private static Connection connect(MySqlServer server) throws SQLException {
        return DriverManager.getConnection(
                server.jdbcUrl() + "&allowMultiQueries=true&characterEncoding=UTF-8", "root", "");
    }

    private static Totals change(MySqlServer server, ChangeScript script) throws SQLException {
        try (Connection connection = connect(server);
                StatementPackets statements = new StatementPackets(connection)) {
            Totals totals = script.write(statements);
            statements.accept("INSERT INTO %s VALUES (1,'%s')".formatted(Tables.MARKER, Tables.MARKER_WORD));
            statements.flush();
            return totals;
        }
    }

    private static File description(Path folder) {
        return folder.resolve("recorded.json").toFile();
    }
}
