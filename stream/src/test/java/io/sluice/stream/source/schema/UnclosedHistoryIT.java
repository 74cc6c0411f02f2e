package io.sluice.stream.source.schema;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.HistoryConfigs;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.EntryColumns;
import io.sluice.stream.source.LiveSource;
import io.sluice.stream.source.Sources;
import io.sluice.stream.source.schema.HistoryOfCanal.RecordedStatement;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A cursor of canal, and the H2 file of a canal that was killed before the newest DDL before the cursor was written to it. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnclosedHistoryIT {
    private static final RingConfig RING = new RingConfig(1 << 12, 1 << 12, false);
    private static final String DISCOUNTED = "id int, qty int, discount int [\"id\"]";

    private static final Map<ServerRelease, MySqlServer> SERVERS = new EnumMap<>(ServerRelease.class);
    private static int schemas;

    @AutoClose
    private final LogLines lines = LogLines.of(StreamSchemas.class.getPackageName());

    @TempDir
    private Path folder;

    @AutoClose
    private HistoryOfCanal canal;

    private MySqlServer server;
    private boolean byGtid;
    private String schema;
    private String table;

    static Stream<Arguments> sources() {
        return Stream.of(ServerRelease.MYSQL_5_7_22, ServerRelease.MYSQL_9_7, ServerRelease.MARIADB_11_8)
                .flatMap(release -> Stream.of(Arguments.of(release, true), Arguments.of(release, false)));
    }

    @AfterAll
    static void stopServers() {
        SERVERS.values().forEach(MySqlServer::close);
        SERVERS.clear();
    }

    /** A table whose columns all have the same type, so that no row tells that the names are wrong, and canal's first snapshot of it. */
    private void begin(ServerRelease release, boolean gtid) throws Exception {
        server = SERVERS.computeIfAbsent(
                release,
                next -> MySqlServer.start(MySqlOptions.defaults().release(next).gtid()));
        byGtid = gtid;
        schema = "unclosed" + ++schemas;
        table = schema + ".t2";
        server.execute(
                "create database " + schema,
                "create table %s (id int primary key, price int, qty int)".formatted(table));
        canal = HistoryOfCanal.create("gap", folder.resolve("open"));
        canal.addFirstSnapshot(
                schema,
                "CREATE TABLE `t2` (`id` int NOT NULL, `price` int DEFAULT NULL, `qty` int DEFAULT NULL, PRIMARY KEY (`id`));");
    }

    private Path h2() {
        return folder.resolve("h2.mv.db");
    }

    /** Executes a statement at a time of its own, and returns what canal writes of it. */
    private RecordedStatement ddl(String sql, long seconds) throws SQLException {
        server.execute("set timestamp = " + seconds, sql);
        return statement(sql, seconds);
    }

    private RecordedStatement statement(String sql, long seconds) throws SQLException {
        BinlogEnd end = server.binlogEnd();
        return new RecordedStatement(end.file(), lastEvent(end.file()), 1, seconds, schema, sql);
    }

    private static long secondsAgo(long seconds) {
        return System.currentTimeMillis() / 1000 - seconds;
    }

    /** Where the last event of a binlog file begins. */
    private long lastEvent(String file) throws SQLException {
        long begin = -1;
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet events = statement.executeQuery("show binlog events in '%s'".formatted(file))) {
            while (events.next()) {
                begin = events.getLong("Pos");
            }
        }
        return begin;
    }

    private RecordedStatement renamesAColumn() throws SQLException {
        return ddl("alter table %s change price cost int".formatted(table), secondsAgo(100));
    }

    private RecordedStatement exchangesColumns() throws SQLException {
        return ddl("alter table %s drop column cost, add column discount int".formatted(table), secondsAgo(50));
    }

    private void insert(int id) {
        server.execute("insert into %s values (%d, 8, 66)".formatted(table, id));
    }

    /** As canal stores it: where the event begins that ends the newest transaction. */
    private Cursor cursorOfCanal() throws SQLException {
        BinlogEnd end = server.binlogEnd();
        return new Cursor(
                "127.0.0.1",
                server.port(),
                new BinlogPosition(end.file(), lastEvent(end.file())),
                byGtid ? end.gtidSet() : "",
                1,
                System.currentTimeMillis() / 1000 * 1000);
    }

    private LiveSource read(Cursor cursor) {
        HistoryConfig history = HistoryConfigs.of("gap", HistoryLocation.parse("jdbc:h2:h2", folder));
        return LiveSource.reading(LiveSource.options(Sources.login(server.port()), cursor.position()), RING)
                .schema(new SchemaOptions(history, null))
                .from(cursor)
                .start();
    }

    /** Reads the rows of one statement. */
    private static String columns(LiveSource live) throws InterruptedException, IOException {
        List<Entry> entries = live.readUntil(entry -> entry.kind() == EntryKind.END);
        Entry rows = entries.stream()
                .filter(entry -> entry.kind() == EntryKind.ROWS)
                .findFirst()
                .orElseThrow();
        return EntryColumns.of(rows).replaceAll("\\(\\d+\\)", ""); // the releases print display widths, or not
    }

    private boolean warned(String text) {
        return lines.warnings().stream().anyMatch(line -> line.contains(text));
    }

    private void assertReplayed(boolean isReplayed) {
        assertThat(warned("reading the DDL between both from the binlog")).isEqualTo(isReplayed);
        assertThat(warned("THE SCHEMA HISTORY IS INCOMPLETE")).isFalse();
    }

    @ParameterizedTest
    @MethodSource("sources")
    void readsTheDdlThatTheFileLacks(ServerRelease release, boolean gtid) throws Exception {
        begin(release, gtid);
        canal.add(renamesAColumn());
        canal.copyAsKilled(h2());
        canal.add(exchangesColumns());
        Cursor cursor = cursorBetweenRows();
        server.execute("alter table %s drop column discount, add column price int".formatted(table));
        insert(4);

        Cursor read;
        try (LiveSource live = read(cursor)) {
            assertThat(columns(live)).isEqualTo(DISCOUNTED);
            assertThat(columns(live)).isEqualTo("id int, qty int, price int [\"id\"]");
            read = live.cursor();
        }
        assertReplayed(true);
        lines.clear();
        insert(5);
        try (LiveSource live = read(byGtid ? read : read.withGtidSet(""))) {
            assertThat(columns(live)).isEqualTo("id int, qty int, price int [\"id\"]");
        }
        assertReplayed(false);
    }

    /** What was read at the first start is not in a cursor yet. */
    @ParameterizedTest
    @MethodSource("sources")
    void readsItAgainWithTheSameCursor(ServerRelease release, boolean gtid) throws Exception {
        begin(release, gtid);
        canal.add(renamesAColumn());
        canal.copyAsKilled(h2());
        canal.add(exchangesColumns());
        Cursor cursor = cursorBetweenRows();
        server.execute("alter table %s drop column discount, add column price int".formatted(table));
        for (int start = 0; start < 2; start++) {
            try (LiveSource live = read(cursor)) {
                assertThat(columns(live)).isEqualTo(DISCOUNTED);
            }
        }
        assertThat(warned("THE SCHEMA HISTORY IS INCOMPLETE")).isFalse();
    }

    @ParameterizedTest
    @MethodSource("sources")
    void appliesNothingTwiceIfTheFileLacksNothing(ServerRelease release, boolean gtid) throws Exception {
        begin(release, gtid);
        canal.add(renamesAColumn());
        canal.add(ddl("alter table %s add column cents int after id".formatted(table), secondsAgo(50)));
        canal.copyAsKilled(h2());
        server.execute("insert into %s values (2, 8, 66, 7)".formatted(table));
        Cursor cursor = cursorOfCanal();
        server.execute("insert into %s values (3, 8, 66, 7)".formatted(table));

        try (LiveSource live = read(cursor)) {
            assertThat(columns(live)).isEqualTo("id int, cents int, cost int, qty int [\"id\"]");
        }
        assertReplayed(true);
    }

    @ParameterizedTest
    @MethodSource("sources")
    void aFileThatReachesTheCursorIsComplete(ServerRelease release, boolean gtid) throws Exception {
        begin(release, gtid);
        Cursor cursor = cursorBetweenRows();
        canal.add(renamesAColumn());
        canal.copyAsKilled(h2());
        insert(4);

        try (LiveSource live = read(cursor)) {
            assertThat(columns(live)).isEqualTo("id int, price int, qty int [\"id\"]");
            assertThat(columns(live)).isEqualTo("id int, cost int, qty int [\"id\"]");
        }
        assertReplayed(false);
    }

    @Test
    void aFileThatCanalHasClosedIsComplete() throws Exception {
        begin(ServerRelease.MYSQL_9_7, false);
        canal.add(renamesAColumn());
        canal.add(exchangesColumns());
        canal.close();
        Files.move(folder.resolve("open.mv.db"), h2());
        assertExchanged(cursorBetweenRows());
        assertReplayed(false);
    }

    /** An operator has set it before the first start: the history of canal ends where canal has stopped. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsTheDdlUpToACursorThatWasSet(boolean gtid) throws Exception {
        begin(ServerRelease.MYSQL_9_7, gtid);
        canal.add(renamesAColumn());
        canal.close();
        Files.move(folder.resolve("open.mv.db"), h2());
        insert(2);
        exchangesColumns();
        BinlogEnd end = server.binlogEnd();
        Cursor set = new Cursor(
                new SourceServer("127.0.0.1", server.port(), server.query("select @@server_uuid")),
                new BinlogPosition(end.file(), end.offset()),
                gtid ? end.gtidSet() : "",
                1,
                secondsAgo(0) * 1000,
                null);
        insert(3);
        server.execute("alter table %s drop column discount, add column price int".formatted(table));

        try (LiveSource live = read(set)) {
            assertThat(columns(live)).isEqualTo(DISCOUNTED);
        }
        assertReplayed(true);
    }

    /** The file does not show when it was begun, so what was before that is not known. */
    @Test
    void takesTheSchemasOfTheSourceIfTheFileHasNoDdl() throws Exception {
        begin(ServerRelease.MYSQL_9_7, false);
        canal.copyAsKilled(h2());
        renamesAColumn();
        exchangesColumns();
        assertHasSchemasOfTheSource();
        assertThat(warned("there is no DDL in it")).isTrue();
    }

    /** Rows come first, and then the table is changed: reading them with the columns of canal's history, which may lack DDL, could name them wrongly. */
    @Test
    void failsIfNeitherTheFileNorTheSourceTellsTheColumns() throws Exception {
        begin(ServerRelease.MYSQL_9_7, false);
        canal.copyAsKilled(h2());
        renamesAColumn();
        exchangesColumns();
        Cursor cursor = cursorBetweenRows();
        server.execute("alter table %s rename column discount to price".formatted(table));

        try (LiveSource live = read(cursor)) {
            await().until(() -> live.failure() != null);

            assertThat(live.failure()).hasMessageContaining(table).hasMessageContaining("canal.instance.schema.reload");
        }
    }

    /** If no DDL came after the cursor, less of the binlog has to be read then. */
    @Test
    void readsNoDdlOfBeforeTheCursorIfTheFileIsMovedAway() throws Exception {
        begin(ServerRelease.MYSQL_9_7, false);
        canal.add(renamesAColumn());
        exchangesColumns();
        assertExchanged(cursorBetweenRows());
        assertReplayed(false);
    }

    /** One row is before the cursor of canal, and one after it. */
    private Cursor cursorBetweenRows() throws SQLException {
        insert(2);
        Cursor cursor = cursorOfCanal();
        insert(3);
        return cursor;
    }

    /** The source has exchanged columns before the cursor, and added one after it. */
    private void assertHasSchemasOfTheSource() throws Exception {
        Cursor cursor = cursorBetweenRows();
        server.execute("alter table %s add column x int after id".formatted(table));
        assertExchanged(cursor);
    }

    private void assertExchanged(Cursor cursor) throws Exception {
        try (LiveSource live = read(cursor)) {
            assertThat(columns(live)).isEqualTo(DISCOUNTED);
        }
    }

    private void purgeUpToNow() {
        BinlogEnd kept = server.rotateBinlog();
        await().until(() -> {
            server.execute("purge binary logs to '%s'".formatted(kept.file())); // a file is kept while a dump needs it
            return kept.file().equals(server.query("show binary logs").split("\\s")[0]);
        });
    }

    @Test
    void takesTheSchemasOfTheSourceIfTheBinlogOfTheNewestDdlIsPurged() throws Exception {
        begin(ServerRelease.MYSQL_5_7_22, false);
        canal.add(renamesAColumn());
        canal.copyAsKilled(h2());
        canal.add(exchangesColumns());
        purgeUpToNow();
        assertHasSchemasOfTheSource();
        assertThat(warned("is not in the binlog of this server")).isTrue();
        assertThat(warned("THE SCHEMA HISTORY IS INCOMPLETE")).isTrue();
    }

    /** After a reset the files have the same names. */
    @Test
    void doesNotTakeAnotherEventForTheNewestDdl() throws Exception {
        begin(ServerRelease.MYSQL_9_7, false);
        RecordedStatement first = renamesAColumn();
        canal.add(new RecordedStatement(
                first.file(), first.offset(), first.serverId(), first.seconds() - 1_000, schema, first.sql()));
        canal.copyAsKilled(h2());
        exchangesColumns();
        assertHasSchemasOfTheSource();
        assertThat(warned("is not in the binlog of this server")).isTrue();
    }
}
