package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.watch.Lag;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cursor follows its stream, and an error reports that the source does not have what is after it. */
@Timeout(600)
class CursorIT {
    private static final RingConfig LARGE = new RingConfig(1 << 16, 1 << 12, false);
    private static final PositionOptions RESETTING = new PositionOptions(false, true, true, Duration.ofSeconds(60));

    private static MySqlServer server;

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start(MySqlOptions.defaults().gtid());
        server.execute("create database shop");
    }

    @BeforeEach
    void emptyTable() {
        server.execute("drop table if exists shop.item", "create table shop.item (id int primary key)");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void theCursorFollowsWhatIsFilteredOrBeginsAFile() throws Exception {
        SourceOptions options =
                Sources.options(PositionOptions.DEFAULT, Sources.host(server, new ConfiguredStart.Newest()));
        try (LiveSource live =
                LiveSource.reading(options, LARGE).encodeAhead(true).start()) {
            await().until(() -> !live.readings().isEmpty());
            server.execute("create table shop.idle_begin (id int)");
            live.readUntil(entry -> entry.tableName().equals("idle_begin"));
            for (int i = 0; i < 3; i++) {
                // Empty transactions follow each other in less than five seconds: only the first becomes entries.
                server.execute("set session sql_log_bin = 1", "analyze table shop.item");
                BinlogEnd end = i == 2 ? server.rotateBinlog() : server.binlogEnd();
                await().until(() -> isAt(live, end));
                assertThat(live.cursor().gtidSet()).isEqualTo(end.gtidSet());
                assertThat(live.cursor().timestampMillis()).isPositive();
            }
            await().until(() -> live.lag().equals(Lag.NONE));
        }
    }

    private static boolean isAt(LiveSource live, BinlogEnd end) throws InterruptedException {
        live.next();
        Cursor cursor = live.cursor();
        return cursor != null
                && cursor.position().file().equals(end.file())
                && cursor.gtidSet().equals(end.gtidSet())
                && (cursor.position().offset() == end.offset()
                        || cursor.position().offset() == 4);
    }

    /** Files of another server may have the same names, and the offset may be between two of its transactions, too. */
    @Test
    void anotherServerAtTheSameAddressIsReadByTime() throws Exception {
        try (MySqlServer mysql = MySqlServer.start(MySqlOptions.defaults())) {
            mysql.execute("create database shop", "create table shop.item (id int primary key)");
            BinlogEnd before = mysql.rotateBinlog();
            mysql.execute("insert into shop.item values (1)", "insert into shop.item values (2)");
            SourceOptions options = Sources.options(Sources.byFile(), Sources.host(mysql, Sources.at(before)));
            Cursor cursor;
            try (LiveSource live =
                    LiveSource.reading(options, LARGE).encodeAhead(true).start()) {
                live.readUntil(entry -> rows(entry) == 1);
                live.readUntil(entry -> rows(entry) == 1);
                live.readUntil(entry -> entry.kind() == EntryKind.END);
                live.next();
                cursor = live.cursor();
            }
            assertThat(cursor.source().identity())
                    .isEqualTo(mysql.query("select @@server_uuid").strip());
            mysql.execute("insert into shop.item values (3), (4), (5)");

            try (LiveSource live = LiveSource.reading(options, LARGE)
                    .from(cursor)
                    .encodeAhead(true)
                    .start()) {
                assertThat(rows(live.readUntil(entry -> rows(entry) > 0))).isEqualTo(3);
            }
            try (LiveSource live = LiveSource.reading(options, LARGE)
                    .from(of("3e11fa47-71ca-11e1-9e33-c80aa9429562", cursor))
                    .encodeAhead(true)
                    .start()) {
                assertThat(rows(live.readUntil(entry -> rows(entry) == 3))).isGreaterThanOrEqualTo(1 + 1 + 3);
            }
            try (LiveSource live = LiveSource.reading(options, LARGE)
                    .from(of("", cursor))
                    .encodeAhead(true)
                    .start()) { // as canal stored it
                assertThat(rows(live.readUntil(entry -> rows(entry) > 0))).isEqualTo(3);
            }
        }
    }

    /** Such as a standby that was made from a backup after the newest event that was read: what came between is in no binlog of it. */
    @Test
    void anotherServerWhoseBinlogBeginsAfterTheCursorIsNotRead() throws Exception {
        try (MySqlServer mysql = MySqlServer.start(MySqlOptions.defaults())) {
            mysql.execute("create database shop", "create table shop.item (id int primary key)");
            assertThat(mysql.binlogEnd().file()).endsWith(".000001");
            Instant twoDaysAgo = Instant.now().minus(Duration.ofDays(2));
            Cursor cursor = new Cursor(
                    new SourceServer(mysql.host(), mysql.port(), "3e11fa47-71ca-11e1-9e33-c80aa9429562"),
                    new BinlogPosition("binlog.000077", 4711),
                    "",
                    9,
                    twoDaysAgo.toEpochMilli(),
                    null);
            SourceOptions options =
                    Sources.options(Sources.byFile(), Sources.host(mysql, new ConfiguredStart.Newest()));

            try (LiveSource live = LiveSource.reading(options, LARGE)
                    .from(cursor)
                    .encodeAhead(true)
                    .start()) {
                await().until(() -> live.failure() != null || !live.readings().isEmpty());

                assertThat(live.kind()).isEqualTo(SourceFailure.PURGED);
                assertThat(live.failure()).hasMessageContaining("its binlog begins later");
            }
        }
    }

    private static Cursor of(String identity, Cursor cursor) {
        return new Cursor(
                new SourceServer(cursor.sourceHost(), cursor.sourcePort(), identity),
                cursor.position(),
                cursor.gtidSet(),
                cursor.serverId(),
                cursor.timestampMillis(),
                cursor.schema(),
                identity.isEmpty() ? 0 : cursor.fileBegunSeconds());
    }

    private static int rows(List<Entry> entries) {
        return entries.stream().mapToInt(CursorIT::rows).sum();
    }

    private static int rows(Entry entry) {
        return entry.kind() == EntryKind.ROWS ? entry.rowCount() : 0;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPurgedBinlogStopsTheSourceAndReportsWhatIsMissing(boolean gtids) throws Exception {
        Cursor cursor = cursorAtARow(1);
        server.execute("insert into shop.item values (2)");
        String missing = server.binlogEnd().gtidSet();
        purge();
        if (!gtids) {
            cursor = cursor.withGtidSet("");
        }
        SourceOptions options =
                Sources.options(PositionOptions.DEFAULT, Sources.host(server, new ConfiguredStart.Newest()));
        try (LiveSource live = LiveSource.reading(options, LARGE)
                .from(cursor)
                .encodeAhead(true)
                .start()) {
            await().until(() -> live.failure() != null);

            assertThat(live.failure())
                    .hasMessageContaining("has purged ")
                    .hasMessageContaining("it still has " + server.binlogEnd().file() + ":4 to ");
            assertThat(live.kind()).isEqualTo(SourceFailure.PURGED);
            assertThat(live.failure())
                    .hasMessageContaining(
                            gtids ? "still needed: " + last(missing) : ", from " + cursor.position() + " on: ");
            assertThat(live.retries()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPurgedBinlogIsSkippedIfConfigured(boolean gtids) throws Exception {
        try (GatedProxy proxy = new GatedProxy(server.port())) {
            SourceHost host = new SourceHost(Sources.login(proxy.port()), new ConfiguredStart.Newest());
            Cursor cursor = cursorAtARow(1, host);
            server.execute("insert into shop.item values (2)");
            purge();
            long read = seconds(server);
            await().until(() -> seconds(server) > read);
            server.execute("insert into shop.item values (3)"); // what is left is newer than the cursor
            BinlogEnd end = server.binlogEnd();
            SourceOptions options = Sources.options(RESETTING, host);
            try (LiveSource live = LiveSource.reading(options, LARGE)
                    .from(gtids ? cursor : cursor.withGtidSet(""))
                    .start()) {
                await().until(() -> live.readings().size() >= 1);
                assertThat(live.readings().get(0).offset()).isEqualTo(end.offset());
                Cursor afterReset = live.takeCursor();
                assertThat(afterReset).as("what a restart begins with").isNotNull();
                assertThat(afterReset.position().offset()).isEqualTo(end.offset());
                assertThat(live.resetsTo()).containsExactly(afterReset);

                proxy.shut();
                await().until(() -> !live.retries().isEmpty());
                proxy.open();
                await().until(() -> live.readings().size() >= 2 || live.failure() != null);
                server.execute("insert into shop.item values (4)");
                List<Entry> entries = live.readUntil(entry -> entry.kind() == EntryKind.END);

                assertThat(entries)
                        .extracting(Entry::kind)
                        .containsExactly(EntryKind.BEGIN, EntryKind.ROWS, EntryKind.END);
                assertThat(live.resets()).isEqualTo(1);
            }
        }
    }

    /** What follows the time of the reset is not lost, though the other server's binlog does not go back to the cursor. */
    @Test
    void afterASkipAnotherServerIsReadFromTheTimeOfTheSkip() throws Exception {
        try (MySqlServer other = MySqlServer.start(MySqlOptions.defaults());
                GatedProxy proxy = new GatedProxy(server.port())) {
            other.execute("create database shop", "create table shop.item (id int primary key)");
            long begun = seconds(other);
            await().until(() ->
                    seconds(other) > begun + 2); // its binlog goes back further than the skip and the fallback
            SourceHost host = new SourceHost(Sources.login(proxy.port()), new ConfiguredStart.Newest());
            Cursor cursor = cursorAtARow(1, host);
            Cursor old = new Cursor(
                    cursor.source(),
                    cursor.position(),
                    "",
                    cursor.serverId(),
                    Instant.now().minus(Duration.ofDays(2)).toEpochMilli(),
                    null,
                    cursor.fileBegunSeconds());
            purge();
            PositionOptions rules = new PositionOptions(false, false, true, Duration.ofSeconds(1));
            SourceOptions options = Sources.options(rules, host, Sources.host(other, new ConfiguredStart.Newest()));
            try (LiveSource live = LiveSource.reading(options, LARGE).from(old).start()) {
                await().until(() -> live.readings().size() >= 1);
                assertThat(live.resets()).isEqualTo(1);

                other.execute("insert into shop.item values (2)");
                proxy.shut();
                await().until(() -> live.readings().size() >= 2);

                assertThat(live.resets()).isEqualTo(1);
                assertThat(rows(live.readUntil(entry -> rows(entry) > 0))).isEqualTo(1);
            }
        }
    }

    private static long seconds(MySqlServer server) {
        return Long.parseLong(String.valueOf(server.query("select unix_timestamp()")));
    }

    @Test
    void theCursorIsThereAfterASkipThatCouldNotBeStoredAtFirst() throws Exception {
        Cursor cursor = cursorAtARow(1);
        server.execute("insert into shop.item values (2)");
        purge();
        BinlogEnd end = server.binlogEnd();
        SourceOptions options = Sources.options(RESETTING, Sources.host(server, new ConfiguredStart.Newest()));
        try (LiveSource live = LiveSource.reading(options, LARGE)
                .from(cursor)
                .failToStoreOnce()
                .start()) {
            await().until(() -> live.readings().size() >= 1);
            assertThat(live.retries()).contains("the disk is full");

            Cursor afterReset = live.takeCursor();
            assertThat(afterReset).as("what a restart begins with").isNotNull();
            assertThat(afterReset.position().offset()).isEqualTo(end.offset());
            assertThat(live.resetsTo()).containsExactly(afterReset);
        }
    }

    @Test
    void aPurgedFileDoesNotMatterIfItsTransactionsWereRead() throws Exception {
        Cursor cursor = cursorAtARow(1);
        purge();
        SourceOptions options =
                Sources.options(PositionOptions.DEFAULT, Sources.host(server, new ConfiguredStart.Newest()));
        try (LiveSource live = LiveSource.reading(options, LARGE).from(cursor).start()) {
            server.execute("insert into shop.item values (2)");

            assertThat(live.readUntil(entry -> entry.kind() == EntryKind.END)).hasSize(3);
        }
    }

    @Test
    void aTransactionWithoutAGtidEndsPositionsByGtid() throws Exception {
        try (LiveSource live = LiveSource.reading(
                        Sources.options(PositionOptions.DEFAULT, Sources.host(server, new ConfiguredStart.Newest())),
                        LARGE)
                .start()) {
            await().until(() -> live.readings().size() >= 1);
            server.execute(
                    "insert into shop.item values (1)",
                    "set global gtid_mode = on_permissive",
                    "set global gtid_mode = off_permissive");
            try {
                server.execute("insert into shop.item values (2)");
                server.execute("insert into shop.item values (3)");
                Entry first = live.readUntil(CursorIT::isEndOfTransaction).get(2);
                Entry second = live.readUntil(CursorIT::isEndOfTransaction).get(2);
                assertThat(first.cursor().gtidSet()).isNotEmpty();
                assertThat(second.cursor().gtidSet()).isEmpty();
                live.close(); // the server would end its dump for one with the same server id

                try (LiveSource later = LiveSource.reading(
                                Sources.options(
                                        PositionOptions.DEFAULT, Sources.host(server, new ConfiguredStart.Newest())),
                                LARGE)
                        .from(second.cursor())
                        .start()) {
                    assertThat(later.readUntil(CursorIT::isEndOfTransaction)).hasSize(3);
                }
            } finally {
                server.execute("set global gtid_mode = on_permissive", "set global gtid_mode = on");
            }
        }
    }

    private static boolean isEndOfTransaction(Entry entry) {
        return entry.kind() == EntryKind.END;
    }

    private static Cursor cursorAtARow(int id) throws InterruptedException {
        return cursorAtARow(id, Sources.host(server, new ConfiguredStart.Newest()));
    }

    private static Cursor cursorAtARow(int id, SourceHost host) throws InterruptedException {
        SourceOptions options = Sources.options(PositionOptions.DEFAULT, host);
        try (LiveSource live =
                LiveSource.reading(options, LARGE).encodeAhead(true).start()) {
            await().until(() -> live.readings().size() >= 1);
            server.execute("insert into shop.item values (%d)".formatted(id));
            List<Entry> entries = live.readUntil(entry -> entry.kind() == EntryKind.END);
            return entries.get(entries.size() - 1).cursor();
        }
    }

    /** The server leaves a file where a dump that was just ended still reads it. */
    private static void purge() {
        String newest = server.rotateBinlog().file();
        await().until(() -> {
            server.execute("purge binary logs to '%s'".formatted(newest));
            return server.query("show binary logs").startsWith(newest);
        });
    }

    /** The last transaction of a set of one server's. */
    private static String last(String gtidSet) {
        return gtidSet.replaceAll(":.*-", ":");
    }
}
