package io.sluice.stream.golden;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.table.TableName;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.source.LiveSource;
import io.sluice.stream.source.SourceOptions;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Recorded binlogs, dumped by a live server, become what they become when read from their files.
 *
 * <p>A server opens a binlog file again for every dump, and asks its index for the file after it. So the first files of one
 * running server are written over with those of case after case, and all cases end at the same DDL, which the server
 * itself wrote into the file that follows.
 *
 * <p>The server has the tables of the case's start. Tables that come later but that the file run asks for, too, because
 * their DDL does not say enough, it has as they were at the end: such a table is asked for only once, and a real server
 * that is read with some delay would answer the same.
 */
@Timeout(600)
class GoldenLiveIT {
    private static final List<String> RECORDED_FILES = List.of("binlog.000001", "binlog.000002");
    private static final String END_SCHEMA = "sluice_end";
    private static final int REPLICA_ID = 4712;

    private static MySqlServer server;
    private static Map<String, byte[]> ownFiles;

    @BeforeAll
    static void startServer() throws IOException {
        // So that it hands out transactions both with GTIDs and without.
        server = MySqlServer.start(MySqlOptions.defaults()
                .with("gtid-mode", "OFF_PERMISSIVE")
                .with("max-allowed-packet", "128M")
                .with("max-connections", "2000"));
        server.execute("create user canal identified by 'secret'", "grant all on *.* to canal");
        server.execute("create database " + END_SCHEMA, "create table %s.mark (id int)".formatted(END_SCHEMA));
        while (!server.binlogEnd().file().equals("binlog.000003")) {
            server.rotateBinlog();
        }
        server.execute("truncate table %s.mark".formatted(END_SCHEMA));
        ownFiles = new HashMap<>();
        for (String file : RECORDED_FILES) {
            ownFiles.put(file, Files.readAllBytes(server.binlogDirectory().resolve(file)));
        }
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @AfterEach
    void restore() throws Exception {
        for (String file : RECORDED_FILES) {
            Files.write(server.binlogDirectory().resolve(file), ownFiles.get(file));
        }
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set sql_log_bin = 0");
            List<String> schemas = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("select schema_name from information_schema.schemata"
                    + " where schema_name not in ('mysql', 'information_schema', 'performance_schema', 'sys', '"
                    + END_SCHEMA + "')")) {
                while (rows.next()) {
                    schemas.add(rows.getString(1));
                }
            }
            for (String schema : schemas) {
                statement.execute("drop database " + quoted(schema));
            }
        }
    }

    /** Those of all groups but of settings, which do not differ here, and some of which would stop the end's mark. */
    static Stream<GoldenCase> cases() throws Exception {
        return GoldenCase.all(GoldenFileTest.MYSQL_SERVERS, GoldenFileTest.GROUPS).stream()
                .filter(golden -> !golden.name().startsWith("14-"))
                // Its tagged GTIDs and its vectors are nothing that the server of this test knows.
                .filter(golden -> !golden.server().equals("mysql-9.7"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aLiveServerSendsTheSameEventsAsItsFiles(GoldenCase golden) throws Exception {
        Asked asked = new Asked(golden.endSchemas());
        try {
            GoldenRun.entriesWithoutHistory(golden, golden.startSchemas(), asked);
        } catch (StreamException e) {
            give(golden, asked.tables);
            assertFailsWith(golden, e);
            return;
        }
        Map<TableName, String> given = give(golden, asked.tables);
        Map<TableName, String> start = new LinkedHashMap<>(given);
        start.keySet().retainAll(golden.startSchemas().keySet());
        List<Entry> fromFiles = GoldenRun.entriesWithoutHistory(golden, start, given::get);

        assertSame(GoldenRun.raw(fromFiles), GoldenRun.raw(dump(golden, true)));
        List<Entry> live = dump(golden, false);
        assertSame(GoldenRun.flat(fromFiles), GoldenRun.flat(live));
        assertSame(GoldenRun.raw(fromFiles), GoldenRun.raw(live));
    }

    /** Gives the server the case's binlog, and tables; the result is how it spells them, as its version does. */
    private static Map<TableName, String> give(GoldenCase golden, Set<TableName> alsoOfTheEnd) throws Exception {
        for (String file : golden.binlogs()) {
            assertThat(RECORDED_FILES).contains(file);
            copy(golden, file, server.binlogDirectory().resolve(file));
        }
        Map<TableName, String> tables = new LinkedHashMap<>(golden.startSchemas());
        for (TableName table : alsoOfTheEnd) {
            String create = golden.endSchemas().createStatement(table);
            if (create != null) {
                tables.putIfAbsent(table, create);
            }
        }
        Map<TableName, String> spelled = new LinkedHashMap<>();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set sql_log_bin = 0");
            for (Map.Entry<TableName, String> table : tables.entrySet()) {
                String schema = quoted(table.getKey().schema());
                statement.execute("create database if not exists " + schema);
                statement.execute("use " + schema);
                statement.execute(table.getValue());
                try (ResultSet rows = statement.executeQuery(
                        "show create table " + quoted(table.getKey().table()))) {
                    rows.next();
                    spelled.put(table.getKey(), rows.getString(2));
                }
            }
        }
        return spelled;
    }

    private static void copy(GoldenCase golden, String file, Path to) throws IOException {
        long bytes = file.equals(golden.end().file()) ? golden.end().offset() : Long.MAX_VALUE;
        Path from = golden.binlog(file);
        try (InputStream plain = Files.newInputStream(from);
                InputStream in = from.toString().endsWith(".gz") ? new GZIPInputStream(plain) : plain;
                OutputStream out = Files.newOutputStream(to)) {
            out.write(in.readNBytes((int) Math.min(bytes, Integer.MAX_VALUE)));
        }
    }

    private static List<Entry> dump(GoldenCase golden, boolean encodeAhead) throws Exception {
        try (LiveSource source = source(golden, encodeAhead)) {
            List<Entry> entries = source.readUntil(GoldenLiveIT::isEnd);
            assertThat(source.retries()).isEmpty();
            return entries.subList(0, entries.size() - 1);
        }
    }

    private static void assertFailsWith(GoldenCase golden, StreamException expected) throws Exception {
        try (LiveSource source = source(golden, false)) {
            await().until(() -> source.failure() != null);
            assertThat(source.failure()).isInstanceOf(StreamException.class).hasMessage(expected.getMessage());
            assertThat(source.retries()).isEmpty();
        }
    }

    private static LiveSource source(GoldenCase golden, boolean encodeAhead) throws IOException {
        BinlogPosition start = golden.start();
        boolean gtid = "true".equals(golden.settings().getProperty("canal.instance.gtidon"));
        ConnectOptions login = ConnectOptions.of(new ServerAddress(server.host(), server.port()), "canal", "secret");
        SourceOptions options = new SourceOptions(
                login,
                REPLICA_ID,
                start,
                gtid ? golden.settings().getProperty("canal.instance.master.gtid") : null,
                List.of(),
                List.of(),
                Duration.ofSeconds(5));
        return LiveSource.reading(options, RingConfig.DEFAULT)
                .encodeAhead(encodeAhead)
                .start();
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /** The first difference says more than both lists would. */
    private static void assertSame(List<byte[]> expected, List<byte[]> actual) {
        for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
            if (!Arrays.equals(expected.get(i), actual.get(i))) {
                assertThat(text(actual.get(i))).as("number %d", i).isEqualTo(text(expected.get(i)));
            }
        }
        assertThat(actual).hasSameSizeAs(expected);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Answers from a record, and remembers what was asked. */
    private static final class Asked implements TableDefinitions {
        private final TableDefinitions record;
        private final Set<TableName> tables = new LinkedHashSet<>();

        Asked(TableDefinitions record) {
            this.record = record;
        }

        @Override
        public String createStatement(TableName table) throws IOException {
            tables.add(table);
            return record.createStatement(table);
        }
    }

    private static boolean isEnd(Entry entry) {
        return entry.schemaName().equals(END_SCHEMA);
    }
}
