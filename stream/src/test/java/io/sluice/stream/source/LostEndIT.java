package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.XaHolding;
import io.sluice.stream.source.search.BinlogBoundaries;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Without GTIDs, a source loses the end of its binlog in a crash, which was read already, and continues in the next file. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostEndIT {
    private static final RingConfig RING = new RingConfig(1 << 12, 1 << 12, false);
    private static final int LOST = 3;
    private static final int AFTER = 4;

    @TempDir
    Path folder;

    private int id;

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void nothingThatIsThereIsSkipped(ServerRelease release) throws Exception {
        requireNothingSkipped(release);
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_9_7", "MARIADB_10_11"})
    void nothingThatIsThereIsSkippedWithOtherReleases(ServerRelease release) throws Exception {
        requireNothingSkipped(release);
    }

    private void requireNothingSkipped(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            Cursor cursor = loseWhatWasRead(server);
            BinlogPosition next = nextFile(server, cursor);
            insert(server, AFTER);

            try (LiveSource live = from(cursor, server, Sources.byFile())) {
                await().until(() -> live.failure() != null || !live.readings().isEmpty());

                assertThat(live.readings()).isEmpty();
                assertThat(live.kind()).isEqualTo(SourceFailure.DIVERGED);
                assertThat(live.failure())
                        .hasMessageContaining(
                                "has lost the end of " + cursor.position().file());
                assertThat(((SourceException) live.failure()).remedy())
                        .contains("cursor set DESTINATION --to " + next, "sync_binlog=1");
            }
            try (BinlogBoundaries places = BinlogBoundaries.open(Sources.login(server.port()))) {
                assertThat(places.between(cursor, places.at(next.file(), next.offset())))
                        .as("what that skips")
                        .isEqualTo(new BinlogBoundaries.Distance(false, 0, 0, 0));
            }
            try (LiveSource live = from(cursor, server, Sources.byFile().withResetToNewest(true))) {
                await().until(() -> live.failure() != null || !live.readings().isEmpty());

                assertThat(live.readings()).containsExactly(next);
                assertThat(live.readRows(AFTER)).isEqualTo(AFTER);
                assertThat(live.resets()).as("losses").isZero();
            }
        }
    }

    /** As a cursor that canal wrote: the file may also be another one of that name. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void aFileThatMayBeAnotherOneIsFollowedByTheNextOneToo(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            Cursor known = loseWhatWasRead(server);
            BinlogPosition next = nextFile(server, known);
            insert(server, AFTER);
            Cursor cursor =
                    new Cursor(new SourceServer(server.host(), server.port(), ""), known.position(), "", 0, 0, null);

            try (LiveSource live = from(cursor, server, Sources.byFile())) {
                await().until(() -> live.failure() != null || !live.readings().isEmpty());

                assertThat(live.kind()).isEqualTo(SourceFailure.PURGED);
                assertThat(live.failure()).hasMessageContaining("is beyond the end of the file");
                assertThat(((SourceException) live.failure()).remedy()).contains("cursor set DESTINATION --to " + next);
            }
            try (LiveSource live = from(cursor, server, Sources.byFile().withResetToNewest(true))) {
                await().until(() -> live.failure() != null || !live.readings().isEmpty());

                assertThat(live.readings()).containsExactly(next);
                assertThat(live.readRows(AFTER)).isEqualTo(AFTER);
                assertThat(live.resets()).as("losses that are possible").isOne();
            }
        }
    }

    /** As of another server with the same {@code server_id}: what was read says nothing about its columns. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void rowsOfWhatMayBeAnotherFileHaveTheColumnsOfTheSource(ServerRelease release) throws Exception {
        PositionOptions rules = Sources.byFile().withResetToNewest(true);
        try (MySqlServer server = start(release);
                MySqlServer other = MySqlServer.start(release)) {
            BinlogEnd begin = server.binlogEnd();
            Cursor known;
            try (LiveSource live = LiveSource.reading(
                            Sources.options(rules, Sources.host(server, Sources.at(begin))), RING)
                    .schema(Sources.history(folder))
                    .start()) {
                insert(server, LOST);
                assertThat(live.readRows(LOST)).isEqualTo(LOST);
                known = live.cursor();
            }
            other.execute("create database shop", "create table shop.item (renamed int primary key)");
            BinlogPosition next = new BinlogPosition(other.rotateBinlog().file(), BinlogPosition.FIRST_OFFSET);
            insert(other, 1);
            Cursor cursor = new Cursor(
                    new SourceServer(other.host(), other.port(), ""),
                    known.position(),
                    "",
                    known.serverId(),
                    known.timestampMillis(),
                    known.schema());

            try (LiveSource live = LiveSource.reading(
                            Sources.options(rules, Sources.host(other, new ConfiguredStart.Default())), RING)
                    .schema(Sources.history(folder))
                    .from(cursor)
                    .start()) {
                List<Entry> read = live.readUntil(entry -> entry.kind() == EntryKind.ROWS);

                assertThat(EntryColumns.of(read.get(read.size() - 1))).startsWith("renamed ");
                assertThat(live.readings()).containsExactly(next);
            }
        }
    }

    /** The table schemas are those of what was read, also of a history. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void aStreamThatRunsContinuesAtTheNextFileIfThatIsAllowed(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            BinlogEnd begin = server.binlogEnd();
            PositionOptions rules = Sources.byFile().withResetToNewest(true);
            try (LiveSource live = LiveSource.reading(
                            Sources.options(rules, Sources.host(server, Sources.at(begin))), RING)
                    .schema(Sources.history(folder))
                    .start()) {
                insert(server, LOST);
                assertThat(live.readRows(LOST)).isEqualTo(LOST);
                server.kill();
                cut(server, begin);
                server.restart();
                insert(server, AFTER);

                assertThat(live.readRows(AFTER)).isEqualTo(AFTER);
                assertThat(live.readings()).hasSize(2);
                assertThat(live.readings().get(1).offset()).isEqualTo(BinlogPosition.FIRST_OFFSET);
                assertThat(live.resets()).isZero();
                assertThat(live.cursor().position().file())
                        .isEqualTo(server.binlogEnd().file());
            }
        }
    }

    /** The event that commits them has no rows, so they must come again, and what follows them with the table schemas of that position. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void rowsOfAnXaTransactionThatIsCommittedLaterAreNotLost(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            server.execute("create table shop.changed (id int primary key, old int)");
            BinlogEnd begin = server.binlogEnd();
            try (LiveSource live = withHeldXa(server, begin, true)) {
                int prepared = prepare(server);
                int beforeDdl = ++id;
                server.execute("insert into shop.changed values (%d, 1)".formatted(beforeDdl));
                assertThat(live.readRows(1)).isOne();
                server.rotateBinlog();
                server.execute("alter table shop.changed drop column old");
                loseRowsThatWereRead(server, live);
                server.execute("xa commit 'held'");
                insert(server, 1);

                List<Entry> again =
                        live.readUntil(entry -> idsOf(List.of(entry)).contains(id));

                assertThat(idsOf(again)).containsExactly(beforeDdl, prepared, id);
                assertThat(live.readings().get(1)).isEqualTo(new BinlogPosition(begin.file(), begin.offset()));
                assertThat(live.resets()).as("losses").isZero();
            }
        }
    }

    /** The place that is named is before them. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void anOperatorIsToldWhereRowsOfAnXaTransactionBegin(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            BinlogEnd begin = server.binlogEnd();
            try (LiveSource live = withHeldXa(server, begin, false)) {
                prepare(server);
                BinlogEnd file = server.rotateBinlog();
                loseRowsThatWereRead(server, live);
                server.execute("xa commit 'held'");
                await().until(() -> live.failure() != null);

                assertThat(live.failure()).hasMessageContaining("has lost the end of " + file.file());
                assertThat(((SourceException) live.failure()).remedy())
                        .contains(
                                "cursor set DESTINATION --to %s:%d --restart".formatted(begin.file(), begin.offset()),
                                "XA transaction");
            }
        }
    }

    private LiveSource withHeldXa(MySqlServer server, BinlogEnd begin, boolean resets) {
        PositionOptions rules = Sources.byFile().withResetToNewest(resets);
        return LiveSource.reading(Sources.options(rules, Sources.host(server, Sources.at(begin))), RING).stream(
                        StreamOptions.DEFAULT.with(new XaHolding(folder.resolve("held"), 1 << 20)))
                .schema(Sources.history(folder))
                .start();
    }

    /** Returns the id of the row. */
    private int prepare(MySqlServer server) throws SQLException {
        int row = ++id;
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : List.of(
                    "xa start 'held'",
                    "insert into shop.item values (%d)".formatted(row),
                    "xa end 'held'",
                    "xa prepare 'held'")) {
                statement.execute(sql);
            }
        }
        return row;
    }

    /** Has rows read that are then lost with the end of a file. */
    private void loseRowsThatWereRead(MySqlServer server, LiveSource live) throws Exception {
        BinlogEnd end = server.binlogEnd();
        insert(server, LOST);
        assertThat(live.readRows(LOST)).isEqualTo(LOST);
        server.kill();
        cut(server, end);
        server.restart();
    }

    private static List<Integer> idsOf(List<Entry> entries) {
        return entries.stream()
                .filter(entry -> entry.kind() == EntryKind.ROWS)
                .map(LostEndIT::idOf)
                .toList();
    }

    private static int idOf(Entry entry) {
        try {
            return Integer.parseInt(EntryColumns.valueOf(entry, "id"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static MySqlServer start(ServerRelease release) {
        MySqlServer server = MySqlServer.start(release);
        server.execute("create database shop", "create table shop.item (id int primary key)");
        return server;
    }

    private static LiveSource from(Cursor cursor, MySqlServer server, PositionOptions rules) {
        return LiveSource.reading(Sources.options(rules, Sources.host(server, new ConfiguredStart.Default())), RING)
                .from(cursor)
                .start();
    }

    /** Reads some rows, which the server then loses; returns the cursor after them. */
    private Cursor loseWhatWasRead(MySqlServer server) throws Exception {
        BinlogEnd begin = server.binlogEnd();
        Cursor cursor;
        try (LiveSource live = LiveSource.reading(
                        Sources.options(Sources.byFile(), Sources.host(server, Sources.at(begin))), RING)
                .start()) {
            insert(server, LOST);
            assertThat(live.readRows(LOST)).isEqualTo(LOST);
            BinlogEnd end = server.binlogEnd();
            await().until(() -> {
                live.next();
                return live.cursor().position().offset() >= end.offset();
            });
            cursor = live.cursor();
        }
        assertThat(cursor.fileBegunSeconds()).isPositive();
        server.kill();
        cut(server, begin);
        server.restart();
        return cursor;
    }

    private static void cut(MySqlServer server, BinlogEnd end) throws IOException {
        try (FileChannel file =
                FileChannel.open(server.binlogDirectory().resolve(end.file()), StandardOpenOption.WRITE)) {
            file.truncate(end.offset());
        }
    }

    private static BinlogPosition nextFile(MySqlServer server, Cursor cursor) {
        BinlogEnd end = server.binlogEnd();
        assertThat(end.file()).isNotEqualTo(cursor.position().file());
        return new BinlogPosition(end.file(), BinlogPosition.FIRST_OFFSET);
    }

    private void insert(MySqlServer server, int rows) {
        for (int i = 0; i < rows; i++) {
            server.execute("insert into shop.item values (%d)".formatted(++id));
        }
    }
}
