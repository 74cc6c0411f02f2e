package io.sluice.stream.source.schema;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.HistoryConfigs;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.EntryColumns;
import io.sluice.stream.source.LiveSource;
import io.sluice.stream.source.SourceOptions;
import io.sluice.stream.source.Sources;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A cursor that the schema history does not reach: moved over DDL, or stored with rows that the history has lost. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HistoryGapIT {
    private static final RingConfig RING = new RingConfig(1 << 12, 1 << 12, false);
    private static final String PRICED = "id int, price int, qty int [\"id\"]";
    private static final String DISCOUNTED = "id int, qty int, discount int [\"id\"]";

    private static final Map<ServerRelease, MySqlServer> SERVERS = new EnumMap<>(ServerRelease.class);
    private static int schemas;

    @AutoClose
    private final LogLines lines = LogLines.of(StreamSchemas.class.getPackageName());

    @TempDir
    private Path folder;

    private MySqlServer server;
    private boolean byGtid;
    private String table;
    private BinlogPosition start;

    static Stream<Arguments> sources() {
        return Stream.of(
                        ServerRelease.MYSQL_5_7_22,
                        ServerRelease.MYSQL_8_0_31,
                        ServerRelease.MYSQL_9_7,
                        ServerRelease.MARIADB_11_8)
                .flatMap(release -> Stream.of(Arguments.of(release, true), Arguments.of(release, false)));
    }

    @AfterAll
    static void stopServers() {
        SERVERS.values().forEach(MySqlServer::close);
        SERVERS.clear();
    }

    /** A table whose columns all have the same type, so that no row tells that the names are wrong. */
    private void begin(ServerRelease release, boolean gtid) {
        server = SERVERS.computeIfAbsent(
                release,
                next -> MySqlServer.start(MySqlOptions.defaults().release(next).gtid()));
        byGtid = gtid;
        String schema = "gap" + ++schemas;
        table = schema + ".t2";
        server.execute(
                "create database " + schema,
                "create table %s (id int primary key, price int, qty int)".formatted(table));
        start = position(server.binlogEnd());
    }

    private static BinlogPosition position(BinlogEnd end) {
        return new BinlogPosition(end.file(), end.offset());
    }

    private LiveSource read(Cursor cursor) {
        HistoryConfig history = HistoryConfigs.of("gap", HistoryLocation.parse("jdbc:h2:h2", folder));
        SourceOptions options = LiveSource.options(Sources.login(server.port()), start);
        return LiveSource.reading(options, RING)
                .schema(new SchemaOptions(history, null))
                .from(cursor)
                .start();
    }

    /** Reads the rows of one statement; the cursor is after its transaction then. */
    private static Entry rows(LiveSource live) throws InterruptedException {
        List<Entry> entries = live.readUntil(entry -> entry.kind() == EntryKind.END);
        return entries.stream()
                .filter(entry -> entry.kind() == EntryKind.ROWS)
                .findFirst()
                .orElseThrow();
    }

    /** Without the display widths, which the releases print or not. */
    private static String columns(Entry entry) throws IOException {
        return EntryColumns.of(entry).replaceAll("\\(\\d+\\)", "");
    }

    private Cursor firstRun() throws Exception {
        try (LiveSource live = read(null)) {
            server.execute("insert into %s values (1, 10, 7)".formatted(table));
            assertThat(columns(rows(live))).isEqualTo(PRICED);
            return after(live.cursor());
        }
    }

    private Cursor after(Cursor cursor) {
        assertThat(cursor.schema()).isNotNull();
        return byGtid ? cursor : cursor.withGtidSet("");
    }

    /** The cursor as {@code cursor set} stores it. */
    private Cursor moved(Cursor old) {
        BinlogEnd end = server.binlogEnd();
        return new Cursor(old.source(), position(end), byGtid ? end.gtidSet() : "", 0, 0, old.schema());
    }

    private void exchangesColumns() {
        server.execute("alter table %s drop column price, add column discount int".formatted(table));
    }

    private boolean warned(String text) {
        return lines.warnings().stream().anyMatch(line -> line.contains(text));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void namesTheColumnsOfTheEndOfTheBinlog(ServerRelease release, boolean gtid) throws Exception {
        begin(release, gtid);
        Cursor old = firstRun();
        exchangesColumns();
        Cursor newest = moved(old);
        server.execute("insert into %s values (3, 8, 66)".formatted(table));

        try (LiveSource live = read(newest)) {
            assertThat(columns(rows(live))).isEqualTo(DISCOUNTED);
        }
    }

    /** What the source has now would be wrong for the first rows. */
    @ParameterizedTest
    @MethodSource("sources")
    void readsTheDdlBetweenTheHistoryAndAMovedCursor(ServerRelease release, boolean gtid) throws Exception {
        begin(release, gtid);
        Cursor old = firstRun();
        exchangesColumns();
        server.execute("insert into %s values (2, 8, 66)".formatted(table));
        Cursor moved = moved(old);
        server.execute(
                "insert into %s values (3, 8, 66)".formatted(table),
                "alter table %s drop column discount, add column price int".formatted(table),
                "insert into %s values (4, 8, 10)".formatted(table));

        try (LiveSource live = read(moved)) {
            assertThat(columns(rows(live))).isEqualTo(DISCOUNTED);
            assertThat(columns(rows(live))).isEqualTo("id int, qty int, price int [\"id\"]");
        }
        assertThat(warned("reading the DDL between both from the binlog")).isTrue();
        assertThat(warned("THE SCHEMA HISTORY IS INCOMPLETE")).isFalse();
    }

    @ParameterizedTest
    @MethodSource("sources")
    void readsTheDdlThatTheHistoryHasLost(ServerRelease release, boolean gtid) throws Exception {
        begin(release, gtid);
        Cursor first = firstRun();
        Path backup = folder.resolveSibling(folder.getFileName() + "-backup");
        copy(folder, backup);
        exchangesColumns();
        server.execute("insert into %s values (2, 8, 66)".formatted(table));
        Cursor second;
        try (LiveSource live = read(first)) {
            assertThat(columns(rows(live))).isEqualTo(DISCOUNTED);
            second = after(live.cursor());
        }
        copy(backup, folder);
        server.execute(
                "insert into %s values (3, 8, 66)".formatted(table),
                "alter table %s drop column discount, add column price int".formatted(table));

        try (LiveSource live = read(second)) {
            assertThat(columns(rows(live))).isEqualTo(DISCOUNTED);
        }
        assertThat(warned("the history does not have row")).isTrue();
    }

    @ParameterizedTest
    @MethodSource("sources")
    void warnsIfTheDdlIsNeitherInTheHistoryNorInTheBinlog(ServerRelease release, boolean gtid) throws Exception {
        begin(release, gtid);
        Cursor old = firstRun();
        exchangesColumns();
        BinlogEnd kept = server.rotateBinlog();
        server.execute("insert into %s values (2, 8, 66)".formatted(table));
        Cursor moved = moved(old);
        server.execute(
                "insert into %s values (3, 8, 66)".formatted(table),
                // MariaDB 11.4 and newer keep what no replica has read.
                "/*M!110400 set global slave_connections_needed_for_purge = 0 */");
        await().until(() -> {
            // A file is kept while a dump or the recovery needs it.
            server.execute("purge binary logs to '%s'".formatted(kept.file()));
            return kept.file().equals(server.query("show binary logs").split("\\s")[0]);
        });

        try (LiveSource live = read(moved)) {
            assertThat(columns(rows(live))).isEqualTo(DISCOUNTED);
        }
        assertThat(warned("THE SCHEMA HISTORY IS INCOMPLETE")).isTrue();
    }

    /** What the source has now is not what it had at the start position, either. */
    @Test
    void ddlAfterTheStartIsTakenBackIfTheDdlBeforeItIsGone() throws Exception {
        begin(ServerRelease.MYSQL_8_0_31, false);
        Cursor old = firstRun();
        exchangesColumns();
        BinlogEnd kept = server.rotateBinlog();
        server.execute("insert into %s values (2, 8, 66)".formatted(table));
        Cursor moved = moved(old);
        server.execute(
                "insert into %s values (3, 8, 66)".formatted(table),
                "alter table %s add column x int after id".formatted(table));
        await().until(() -> {
            server.execute("purge binary logs to '%s'".formatted(kept.file()));
            return kept.file().equals(server.query("show binary logs").split("\\s")[0]);
        });

        try (LiveSource live = read(moved)) {
            assertThat(columns(rows(live))).isEqualTo(DISCOUNTED);
        }
    }

    /** Its schema history ends before it, so DDL is looked for up to there. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_9_7", "MARIADB_11_8"})
    void aCursorBeyondTheEndOfTheBinlogFails(ServerRelease release) throws Exception {
        begin(release, false);
        Cursor old = firstRun();
        BinlogPosition end = position(server.binlogEnd());
        Cursor beyond =
                new Cursor(old.source(), new BinlogPosition(end.file(), end.offset() + 10_000), "", 0, 0, old.schema());

        try (LiveSource live = read(beyond)) {
            await().until(() -> live.failure() != null || !live.retries().isEmpty());

            assertThat(live.retries()).isEmpty();
            assertThat(live.kind()).isEqualTo(SourceFailure.PURGED);
            assertThat(live.failure()).hasMessageContainingAll(beyond.position().toString(), "ends at " + end);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        if (Files.exists(to)) {
            try (Stream<Path> old = Files.list(to)) {
                for (Path file : old.toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
