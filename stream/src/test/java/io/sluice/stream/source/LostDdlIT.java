package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.XaHolding;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A source loses the end of its binlog in a crash, with DDL that was read already. Its tables may have what that changed, or not: here it is
 * taken back without a trace in the binlog, as if the storage engine had lost it, too. With GTIDs, a replica may get it again.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostDdlIT {
    private static final RingConfig RING = new RingConfig(1 << 12, 1 << 12, false);
    private static final PositionOptions RESETTING = Sources.byFile().withResetToNewest(true);
    private static final String RENAME = "alter table shop.item change old renamed int";
    private static final String RENAME_BACK = "alter table shop.item change renamed old int";

    @TempDir
    Path folder;

    private int id;

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void aStreamThatRunsHasTheColumnsThatTheSourceHasAfterwards(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release);
                LiveSource live = reading(server, RESETTING, null, server.binlogEnd())) {
            readAndLose(server, live, RENAME);
            unlogged(server, RENAME_BACK);

            assertThat(columnsOfNext(server, live)).isEqualTo("id, old");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void aStreamThatRunsHasTheColumnsThatTheSourceHasKept(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release);
                LiveSource live = reading(server, RESETTING, null, server.binlogEnd())) {
            readAndLose(server, live, RENAME);

            assertThat(columnsOfNext(server, live)).isEqualTo("id, renamed");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void aRestartHasTheColumnsThatTheSourceHasAfterwards(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release);
                LogLines log = LogLines.of("io.sluice.stream.source.schema")) {
            Cursor cursor = readAndLoseBeforeARestart(server, RENAME);
            unlogged(server, RENAME_BACK);
            insert(server);

            try (LiveSource live = reading(server, RESETTING, cursor, null)) {
                assertThat(columnsOfNext(live)).isEqualTo("id, old");
                assertThat(columnsOfNext(server, live)).isEqualTo("id, old");
                cursor = live.cursor();
            }
            assertThat(log.warnings())
                    .filteredOn(message -> message.contains("has lost the end of a binlog file with DDL"))
                    .singleElement()
                    .asString()
                    .contains("names=[shop.item]");
            insert(server);
            try (LiveSource live = reading(server, RESETTING, cursor, null)) { // the history has it, too
                assertThat(columnsOfNext(live)).isEqualTo("id, old");
            }
        }
    }

    /** As an operator sets the cursor. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void aCursorAtTheNextFileHasTheColumnsThatTheSourceHas(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release);
                LogLines log = LogLines.of("io.sluice.stream.source.schema")) {
            Cursor lost = readAndLoseBeforeARestart(server, RENAME);
            unlogged(server, RENAME_BACK);
            insert(server);
            Cursor cursor = new Cursor(
                    lost.source(),
                    new BinlogPosition(server.binlogEnd().file(), BinlogPosition.FIRST_OFFSET),
                    "",
                    lost.serverId(),
                    lost.timestampMillis(),
                    null);

            try (LiveSource live = reading(server, Sources.byFile(), cursor, null)) {
                assertThat(columnsOfNext(live)).isEqualTo("id, old");
            }
            assertThat(log.warnings())
                    .anyMatch(line -> line.contains("has lost the end of a binlog file with DDL"))
                    .noneMatch(line -> line.contains("THE SCHEMA HISTORY IS INCOMPLETE"));
        }
    }

    /** What was read is ahead of what was acknowledged. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void aCursorBeforeTheLostEndHasTheColumnsThatTheSourceHas(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            BinlogEnd begin = server.binlogEnd();
            Cursor before;
            try (LiveSource live = reading(server, Sources.byFile(), null, begin)) {
                insert(server);
                assertThat(live.readRows(1)).isOne();
                insert(server);
                assertThat(live.readRows(1)).isOne();
                before = live.cursor();
                readAndLose(server, live, RENAME);
            }
            unlogged(server, RENAME_BACK);
            insert(server);

            try (LiveSource live = reading(server, Sources.byFile(), before, null)) {
                assertThat(columnsOfNext(server, live)).isEqualTo("id, old");
                before = live.cursor();
            }
            insert(server);
            try (LiveSource live = reading(server, Sources.byFile(), before, null)) {
                assertThat(columnsOfNext(live)).isEqualTo("id, old");
            }
        }
    }

    /** Rows before it come again, with their columns. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void rowsBeforeAndAfterTheLostEndHaveTheirColumnsIfAnXaTransactionIsReadAgain(ServerRelease release)
            throws Exception {
        try (MySqlServer server = start(release);
                LiveSource live = LiveSource.reading(
                                Sources.options(RESETTING, Sources.host(server, Sources.at(server.binlogEnd()))), RING)
                        .stream(StreamOptions.DEFAULT.with(new XaHolding(folder.resolve("held"), 1 << 20)))
                        .schema(Sources.history(folder))
                        .start()) {
            server.execute("create table shop.held (id int primary key)");
            try (Connection connection = server.connect();
                    Statement statement = connection.createStatement()) {
                for (String sql :
                        List.of("xa start 'x'", "insert into shop.held values (1)", "xa end 'x'", "xa prepare 'x'")) {
                    statement.execute(sql);
                }
            }
            insert(server);
            assertThat(live.readRows(1)).isOne();
            readAndLose(server, live, RENAME);
            int again = id - 1;
            insert(server);

            List<Entry> read = live.readUntil(entry -> entry.kind() == EntryKind.ROWS && idOf(entry) == id);

            assertThat(read.stream()
                            .filter(entry -> entry.kind() == EntryKind.ROWS)
                            .map(LostDdlIT::labelled))
                    .containsExactly(again + " id, old", id + " id, renamed");
        }
    }

    /** Which columns rows before it had shows the DDL that was repeated. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void columnsThatAreAddedAgainAreThoseOfRowsAfterThat(ServerRelease release) throws Exception {
        String add = "alter table shop.item add added int";
        try (MySqlServer server = start(release)) {
            Cursor cursor = readAndLoseBeforeARestart(server, add);
            unlogged(server, "alter table shop.item drop column added");
            insert(server);
            server.execute(add);
            insert(server);

            try (LiveSource live = reading(server, RESETTING, cursor, null)) {
                assertThat(columnsOfNext(live)).isEqualTo("id, old");
                assertThat(columnsOfNext(live)).isEqualTo("id, old, added");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void rowsWhoseColumnsAreNotKnownAreNotLabelled(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            Cursor cursor = readAndLoseBeforeARestart(server, RENAME);
            unlogged(server, RENAME_BACK);
            insert(server);
            server.execute(RENAME);
            insert(server);

            try (LiveSource live = reading(server, RESETTING, cursor, null)) {
                await().until(() -> live.failure() != null);

                assertThat(live.kind()).isEqualTo(SourceFailure.SCHEMA_MISMATCH);
                assertThat(live.failure()).hasMessageContaining("rows of shop.item");
            }
        }
    }

    /** What the history begins with is of the lost end, too. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void aHistoryThatBeginsInTheLostEndIsBegunAgain(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            BinlogEnd end = server.binlogEnd();
            server.execute(RENAME);
            try (LiveSource live = reading(server, RESETTING, null, server.binlogEnd())) {
                assertThat(columnsOfNext(server, live)).isEqualTo("id, renamed");
                lose(server, end);
                unlogged(server, RENAME_BACK);

                assertThat(columnsOfNext(server, live)).isEqualTo("id, old");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void aStartAfterAHistoryThatBeginsInTheLostEndBeginsItAgain(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            BinlogEnd end = server.binlogEnd();
            server.execute(RENAME);
            Cursor cursor;
            try (LiveSource live = reading(server, RESETTING, null, server.binlogEnd())) {
                assertThat(columnsOfNext(server, live)).isEqualTo("id, renamed");
                insert(server);
                assertThat(live.readRows(1)).isOne();
                cursor = live.cursor();
            }
            lose(server, end);
            unlogged(server, RENAME_BACK);
            insert(server);

            try (LiveSource live = reading(server, RESETTING, cursor, null)) {
                assertThat(columnsOfNext(live)).isEqualTo("id, old");
            }
        }
    }

    /** Also if the server had numbered it itself, before another one took over. */
    @ParameterizedTest
    @CsvSource({"MYSQL_5_7_22,false", "MYSQL_5_7_22,true", "MARIADB_11_8,false", "MARIADB_11_8,true"})
    void ddlThatAReplicaGetsAgainIsNotLost(ServerRelease release, boolean isOwn) throws Exception {
        try (MySqlServer server = start(byGtids(release));
                LogLines log = LogLines.of("io.sluice.stream.source.schema")) {
            List<String> gtids = gtids(server, isOwn);
            long second = seconds(server);
            BinlogEnd end = server.binlogEnd();
            Cursor cursor;
            try (LiveSource live = reading(server, PositionOptions.DEFAULT, null, end)) {
                replicate(server, gtids, second);
                assertThat(live.readRows(1)).isOne();
                cursor = cursorAt(server.binlogEnd(), live);
            }
            lose(server, end);
            unlogged(server, RENAME_BACK);
            unlogged(server, "delete from shop.item");
            replicate(server, gtids, second);
            insert(server);
            server.execute("alter table shop.item change renamed third int");
            insert(server);

            try (LiveSource live = reading(server, PositionOptions.DEFAULT, cursor, null)) {
                assertThat(columnsOfNext(live)).isEqualTo("id, renamed");
                assertThat(columnsOfNext(live)).isEqualTo("id, third");
            }
            assertThat(log.warnings()).noneMatch(line -> line.contains("has lost the end of a binlog file"));
        }
    }

    /** So the GTID of what is lost is that of another transaction. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MARIADB_11_8"})
    void ddlWhoseGtidIsGivenAgainIsLost(ServerRelease release) throws Exception {
        try (MySqlServer server = start(byGtids(release));
                LogLines log = LogLines.of("io.sluice.stream.source.schema")) {
            BinlogEnd begin = server.binlogEnd();
            Cursor before;
            try (LiveSource live = reading(server, PositionOptions.DEFAULT, null, begin)) {
                insert(server);
                assertThat(live.readRows(1)).isOne();
                insert(server);
                assertThat(live.readRows(1)).isOne();
                before = live.cursor();
                readAndLose(server, live, RENAME);
            }
            insert(server);
            insert(server);

            try (LiveSource live = reading(server, PositionOptions.DEFAULT, before, null)) {
                assertThat(columnsOfNext(server, live)).isEqualTo("id, renamed");
            }
            assertThat(log.warnings())
                    .anyMatch(line -> line.contains("has lost the end of a binlog file with DDL")
                            && line.contains("names=[shop.item]"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void withoutAHistoryTheColumnsAreThoseOfTheSource(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release);
                LiveSource live = LiveSource.reading(
                                Sources.options(RESETTING, Sources.host(server, Sources.at(server.binlogEnd()))), RING)
                        .start()) {
            readAndLose(server, live, RENAME);
            unlogged(server, RENAME_BACK);

            assertThat(columnsOfNext(server, live)).isEqualTo("id, old");
        }
    }

    private static MySqlServer start(ServerRelease release) {
        return start(MySqlOptions.defaults().release(release));
    }

    private static MySqlOptions byGtids(ServerRelease release) {
        MySqlOptions options = MySqlOptions.defaults().release(release);
        return release.isMariaDb() ? options : options.gtid();
    }

    private static MySqlServer start(MySqlOptions options) {
        MySqlServer server = MySqlServer.start(options);
        server.execute("create database shop", "create table shop.item (id int primary key, old int)");
        long second = seconds(server);
        await().until(() ->
                seconds(server) > second); // DDL in the second in which the file was begun may be of another one
        return server;
    }

    private static long seconds(MySqlServer server) {
        return Long.parseLong(String.valueOf(server.query("select unix_timestamp()")));
    }

    private LiveSource reading(
            MySqlServer server, PositionOptions rules, @Nullable Cursor cursor, @Nullable BinlogEnd begin) {
        ConfiguredStart start = begin == null ? new ConfiguredStart.Default() : Sources.at(begin);
        LiveSource.Start how = LiveSource.reading(Sources.options(rules, Sources.host(server, start)), RING)
                .schema(Sources.history(folder));
        return (cursor == null ? how : how.from(cursor)).start();
    }

    /** Has a statement and a row after it read, which the server then loses. */
    private void readAndLose(MySqlServer server, LiveSource live, String ddl) throws Exception {
        BinlogEnd end = server.binlogEnd();
        server.execute(ddl);
        insert(server);
        assertThat(live.readRows(1)).isOne();
        lose(server, end);
    }

    /** As {@link #readAndLose}; returns the cursor after it. */
    private Cursor readAndLoseBeforeARestart(MySqlServer server, String ddl) throws Exception {
        BinlogEnd end = server.binlogEnd();
        Cursor cursor;
        try (LiveSource live = reading(server, Sources.byFile(), null, end)) {
            server.execute(ddl);
            insert(server);
            assertThat(live.readRows(1)).isOne();
            BinlogEnd now = server.binlogEnd();
            await().until(() -> {
                live.next();
                return live.cursor().position().offset() >= now.offset();
            });
            cursor = live.cursor();
        }
        lose(server, end);
        return cursor;
    }

    private static Cursor cursorAt(BinlogEnd end, LiveSource live) {
        await().until(() -> {
            live.next();
            return live.cursor().position().offset() >= end.offset();
        });
        return live.cursor();
    }

    /** The statements that give the next two transactions their GTIDs, as those of this server or of another one. */
    private static List<String> gtids(MySqlServer server, boolean isOwn) {
        if (server.release().isMariaDb()) {
            String id = isOwn ? String.valueOf(server.query("select @@server_id")) : "77";
            String newest = String.valueOf(server.query("select @@global.gtid_binlog_pos"));
            long number = Long.parseLong(newest.substring(newest.lastIndexOf('-') + 1));
            String statement = "set session server_id = %s, gtid_seq_no = %d";
            return List.of(statement.formatted(id, number + 1), statement.formatted(id, number + 2));
        }
        String executed = String.valueOf(server.query("select @@global.gtid_executed"));
        long number = isOwn ? Long.parseLong(executed.substring(executed.lastIndexOf('-') + 1)) : 0;
        String uuid =
                isOwn ? String.valueOf(server.query("select @@server_uuid")) : "323b686a-e4de-11f1-8f50-02fc00000001";
        String statement = "set gtid_next = '%s:%d'";
        return List.of(statement.formatted(uuid, number + 1), statement.formatted(uuid, number + 2));
    }

    /** Executes DDL and adds a row as the applier of a replica does. */
    private static void replicate(MySqlServer server, List<String> gtids, long second) {
        server.execute(
                "set timestamp = " + second,
                gtids.get(0),
                RENAME,
                gtids.get(1),
                "insert into shop.item (id) values (1000)");
    }

    private static void lose(MySqlServer server, BinlogEnd end) throws IOException {
        server.kill();
        try (FileChannel file =
                FileChannel.open(server.binlogDirectory().resolve(end.file()), StandardOpenOption.WRITE)) {
            file.truncate(end.offset());
        }
        server.restart();
    }

    private static void unlogged(MySqlServer server, String sql) throws Exception {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set sql_log_bin = 0");
            statement.execute(sql);
        }
    }

    private void insert(MySqlServer server) {
        server.execute("insert into shop.item (id) values (%d)".formatted(++id));
    }

    private String columnsOfNext(MySqlServer server, LiveSource live) throws Exception {
        insert(server);
        List<Entry> read = live.readUntil(entry -> entry.kind() == EntryKind.ROWS && idOf(entry) == id);
        return namesOf(read.get(read.size() - 1));
    }

    private static String columnsOfNext(LiveSource live) throws Exception {
        List<Entry> read = live.readUntil(entry -> entry.kind() == EntryKind.ROWS);
        return namesOf(read.get(read.size() - 1));
    }

    private static String namesOf(Entry row) throws IOException {
        return EntryColumns.of(row).replaceAll(" int(\\(11\\))?| \\[.*", "");
    }

    private static String labelled(Entry entry) {
        try {
            return idOf(entry) + " " + namesOf(entry);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static int idOf(Entry entry) {
        try {
            return Integer.parseInt(EntryColumns.valueOf(entry, "id"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
