package io.sluice.bench.workload;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.schema.ddl.TableName;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.OncePerBuild;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The binlog of a workload, in the data folder of a stopped server.
 *
 * <p>Making one takes a minute, so it is kept, and made anew only when the workload is another.
 *
 * @param data the server's data folder
 * @param file the binlog file in which the workload begins
 * @param offset where its first event starts
 * @param bytes how much binlog it is
 * @param totals what is in it
 */
public record RecordedBinlog(Path data, String file, long offset, long bytes, Totals totals) {
    /** The user who may read the binlog, and the password. */
    public static final String USER = "canal";

    public static final String PASSWORD = "canal";

    /** Changes whenever the same workload would be made otherwise than before. */
    private static final int VERSION = 2;

    private static final int MANY_TABLES = 1_000;

    /** A statement a line, none of which has a line of its own within. */
    private static final String TABLES_FILE = "tables.sql";

    private static final Logger LOG = LoggerFactory.getLogger(RecordedBinlog.class);

    /** The recorded binlog of a workload, made now if it was not before; {@code folder} is where they are kept. */
    public static RecordedBinlog of(Workload workload, Path folder) {
        String name = "%s-%d-seed%d-v%d".formatted(workload.name(), workload.rows(), workload.seed(), VERSION);
        return of(name, Tables.all(), workload.script(), folder);
    }

    /** The same for a shape. */
    public static RecordedBinlog of(Shape shape, Path folder) {
        return of("%s-v%d".formatted(shape.name(), VERSION), shape.texts(), new ShapeScript(shape), folder);
    }

    private static RecordedBinlog of(String name, List<Tables.TableText> tables, ChangeScript script, Path folder) {
        return at(OncePerBuild.folder(folder.resolve(name), into -> make(name, tables, script, into)));
    }

    /** The recorded binlog in a folder, as {@link #folder()} named it. */
    public static RecordedBinlog at(Path folder) {
        return read(folder);
    }

    /** What it is found by later. */
    public Path folder() {
        return Objects.requireNonNull(data.getParent(), "a data folder is within another");
    }

    /** Starts the server that wrote the binlog. */
    public MySqlServer startServer() {
        return MySqlServer.start(options(data));
    }

    /** The path of the binlog file in which the workload begins. */
    public Path path() {
        return data.resolve(file);
    }

    private static MySqlOptions options(Path data) {
        return MySqlOptions.defaults()
                .dataDirectory(data)
                .with("innodb-buffer-pool-size", "256M")
                .with("innodb-flush-log-at-trx-commit", "0")
                .with("innodb-redo-log-capacity", "256M")
                .with("max-binlog-size", "1G")
                .with("max-connections", "500")
                .with("table-open-cache", "12000")
                .with("table-definition-cache", "12000")
                .with("binlog-expire-logs-seconds", "0")
                .with("default-time-zone", "+00:00");
    }

    private static void make(String name, List<Tables.TableText> tables, ChangeScript script, Path into) {
        LOG.info("making a binlog: name={} tables={}", name, tables.size());
        long begin = System.nanoTime();
        try (MySqlServer server = MySqlServer.start(options(into.resolve("data")))) {
            server.createReplicationUser(USER, PASSWORD, AuthPlugin.MYSQL_NATIVE_PASSWORD);
            createTables(server, tables);
            BinlogEnd start = server.rotateBinlog();
            Totals totals = change(server, script);
            long bytes = bytesOf(into.resolve("data"), start.file()) - start.offset();
            write(into, start, bytes, totals);
            writeTables(into, tables);
            LOG.info(
                    "made a binlog: seconds={} mebibytes={}", (System.nanoTime() - begin) / 1_000_000_000, bytes >> 20);
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("could not make the binlog " + name, e);
        }
    }

    /** The size of a binlog file and those after it. */
    private static long bytesOf(Path data, String first) throws IOException {
        long bytes = 0;
        for (Path file : filesFrom(data, first)) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    private static List<Path> filesFrom(Path data, String first) throws IOException {
        try (Stream<Path> files = Files.list(data)) {
            return files.filter(file -> file.getFileName().toString().matches("binlog\\.[0-9]+"))
                    .filter(file -> file.getFileName().toString().compareTo(first) >= 0)
                    .sorted()
                    .toList();
        }
    }

    /** Its events, from the files; nobody may write these meanwhile. */
    public EventSource open() throws IOException {
        return new RecordedEvents(filesFrom(data, file), offset);
    }

    /** The statements that made its tables. */
    public Map<TableName, String> definitions() throws IOException {
        Map<TableName, String> definitions = new HashMap<>();
        Path file = folder().resolve(TABLES_FILE);
        if (Files.exists(file)) {
            try (Stream<String> lines = Files.lines(file)) {
                lines.forEach(line -> put(definitions, line.substring(0, line.indexOf('\t')), line));
            }
        } else {
            Tables.all().forEach(table -> put(definitions, table.name(), table.create()));
        }
        return definitions;
    }

    private static void put(Map<TableName, String> definitions, String table, String text) {
        definitions.put(new TableName(Tables.SCHEMA, table), text.substring(text.indexOf('\t') + 1));
    }

    private static void writeTables(Path folder, List<Tables.TableText> tables) throws IOException {
        Files.write(
                folder.resolve(TABLES_FILE),
                tables.stream()
                        .map(table -> table.name() + "\t" + table.create().replaceAll("\\s+", " "))
                        .toList());
    }

    private static void createTables(MySqlServer server, List<Tables.TableText> tables) throws SQLException {
        // With a file for each table a server has as many files open as it has tables.
        server.execute("SET GLOBAL innodb_file_per_table=%d".formatted(tables.size() > MANY_TABLES ? 0 : 1));
        server.execute("CREATE DATABASE " + Tables.SCHEMA);
        try (Connection connection = connect(server);
                StatementPackets statements = new StatementPackets(connection)) {
            tables.forEach(table -> statements.accept(table.create()));
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

    private static void write(Path folder, BinlogEnd start, long bytes, Totals totals) {
        Properties properties = new Properties();
        properties.setProperty("file", start.file());
        properties.setProperty("offset", Long.toString(start.offset()));
        properties.setProperty("bytes", Long.toString(bytes));
        write(properties, "inserts", totals.inserts());
        write(properties, "updates", totals.updates());
        write(properties, "deletes", totals.deletes());
        try (Writer out = Files.newBufferedWriter(folder.resolve("recorded.properties"))) {
            properties.store(out, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Properties properties, String name, Tally tally) {
        properties.setProperty(name + ".rows", Long.toString(tally.rows()));
        properties.setProperty(name + ".ids", Long.toString(tally.ids()));
        properties.setProperty(name + ".cents", Long.toString(tally.cents()));
    }

    private static RecordedBinlog read(Path folder) {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(folder.resolve("recorded.properties"))) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new RecordedBinlog(
                folder.resolve("data"),
                properties.getProperty("file"),
                number(properties, "offset"),
                number(properties, "bytes"),
                new Totals(tally(properties, "inserts"), tally(properties, "updates"), tally(properties, "deletes")));
    }

    private static Tally tally(Properties properties, String name) {
        return new Tally(
                number(properties, name + ".rows"),
                number(properties, name + ".ids"),
                number(properties, name + ".cents"));
    }

    private static long number(Properties properties, String name) {
        return Long.parseLong(properties.getProperty(name));
    }
}
