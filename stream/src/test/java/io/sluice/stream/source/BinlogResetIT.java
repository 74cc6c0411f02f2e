package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.watch.Lag;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After {@code RESET MASTER} the server's files have the names again that they had before. */
@Timeout(600)
class BinlogResetIT {
    private static final RingConfig LARGE = new RingConfig(1 << 16, 1 << 12, false);
    private static final int BEFORE = 20;
    private static final int FEW = 5;
    private static final int MANY = 40;
    private static final String SWAP = "alter table shop.swapped change x y varchar(9), change y x varchar(9)";

    @Test
    void losesNothingWhenTheGtidsAreKept() throws Exception {
        try (MySqlServer server = start(MySqlOptions.defaults().gtid());
                GatedProxy proxy = new GatedProxy(server.port());
                LiveSource live = source(proxy.port(), PositionOptions.DEFAULT, server.rotateBinlog())) {
            insert(server, 1, BEFORE, 1_000);
            live.readRows(BEFORE);

            resetKeepingGtids(server, proxy);
            assertThat(server.rotateBinlog().file()).endsWith("000002");
            insert(server, 101, FEW, 10);
            insert(server, 201, MANY, 1_000);

            assertThat(live.readRows(FEW + MANY)).isEqualTo(FEW + MANY);
            assertThat(live.retries()).first().asString().contains("after RESET MASTER");
            await().until(() -> live.next().isEmpty() && isAt(live, server.binlogEnd()));
            assertThat(live.failure()).isNull();
        }
    }

    /** The new files have lower numbers than those before, of which the history has statements. */
    @Test
    void tableSchemasAreThoseOfTheEventsAfterAResetThatKeepsTheGtids(@TempDir Path folder) throws Exception {
        SchemaOptions history = Sources.history(folder);
        try (MySqlServer server = start(MySqlOptions.defaults().gtid());
                GatedProxy proxy = new GatedProxy(server.port())) {
            server.rotateBinlog();
            SourceHost host = new SourceHost(Sources.login(proxy.port()), Sources.at(server.rotateBinlog()));
            SourceOptions options = Sources.options(PositionOptions.DEFAULT, host);
            Cursor cursor;
            try (LiveSource live =
                    LiveSource.reading(options, LARGE).schema(history).start()) {
                server.execute("create table shop.renamed (a int primary key)", "insert into shop.renamed values (1)");
                assertThat(columnsOfRow(live)).startsWith("a int");

                resetKeepingGtids(server, proxy);
                await().until(() -> live.readings().size() > 1);
                server.execute("alter table shop.renamed rename column a to z", "insert into shop.renamed values (2)");
                assertThat(columnsOfRow(live)).startsWith("z int");
                await().until(() -> live.next().isEmpty() && isAt(live, server.binlogEnd()));
                cursor = live.cursor();
                assertThat(cursor.position().file()).endsWith("000001");
            }
            server.execute("insert into shop.renamed values (3)");

            try (LiveSource live = LiveSource.reading(options, LARGE)
                    .schema(history)
                    .from(cursor)
                    .start()) {
                assertThat(columnsOfRow(live)).startsWith("z int");
            }
        }
    }

    /**
     * As after {@code cursor set} to the new binlog: the cursor says nothing about the one before, and the new file has the name of the one that the
     * history is about.
     */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MARIADB_11_8"})
    void tableSchemasAreThoseOfTheEventsWhenTheCursorWasSetAfterAReset(ServerRelease release, @TempDir Path folder)
            throws Exception {
        try (MySqlServer server = start(MySqlOptions.defaults().release(release))) {
            server.execute("create table shop.swapped (x varchar(9), y varchar(9))");
            try (LiveSource live = LiveSource.reading(byFileFrom(server), LARGE)
                    .schema(Sources.history(folder))
                    .start()) {
                server.execute(SWAP, "insert into shop.swapped values (1, 1)");
                assertThat(columnsOfRow(live)).startsWith("y varchar(9)");
            }

            server.execute("reset master");
            SourceOptions fromTheNewStart = byFileFrom(server);
            server.execute(SWAP, "insert into shop.swapped values (2, 2)");
            Cursor cursor;
            try (LiveSource live = LiveSource.reading(fromTheNewStart, LARGE)
                    .schema(Sources.history(folder))
                    .start()) {
                assertThat(columnsOfRow(live)).startsWith("x varchar(9)");
                cursor = live.cursor();
            }
            for (int start = 0; start < 2; start++) {
                server.execute("insert into shop.swapped values (3, 3)");
                try (LiveSource live = LiveSource.reading(fromTheNewStart, LARGE)
                        .schema(Sources.history(folder))
                        .from(cursor)
                        .start()) {
                    assertThat(columnsOfRow(live)).startsWith("x varchar(9)");
                    cursor = live.cursor();
                }
            }
        }
    }

    /** The history has a snapshot at the head of a file alone, and the new file of that name has an event there, too. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MARIADB_11_8"})
    void aSnapshotAtTheHeadOfAFileIsNotOfTheNewFileOfThatName(ServerRelease release, @TempDir Path folder)
            throws Exception {
        try (MySqlServer server = start(MySqlOptions.defaults().release(release))) {
            server.execute("create table shop.swapped (x varchar(9), y varchar(9))", "reset master");
            long begun = seconds(server);
            try (LiveSource live = LiveSource.reading(byFileFrom(server), LARGE)
                    .schema(Sources.history(folder))
                    .start()) {
                server.execute("insert into shop.swapped values (1, 1)");
                assertThat(columnsOfRow(live)).startsWith("x varchar(9)");
            }
            server.execute(SWAP);
            await().until(() -> seconds(server) > begun + 1);

            server.execute("reset master");
            SourceOptions fromTheNewStart = byFileFrom(server);
            server.execute("insert into shop.swapped values (2, 2)");
            Cursor cursor;
            try (LiveSource live = LiveSource.reading(fromTheNewStart, LARGE)
                    .schema(Sources.history(folder))
                    .start()) {
                assertThat(columnsOfRow(live)).startsWith("y varchar(9)");
                cursor = live.cursor();
            }
            server.execute(SWAP, "insert into shop.swapped values (3, 3)");
            try (LiveSource live = LiveSource.reading(fromTheNewStart, LARGE)
                    .schema(Sources.history(folder))
                    .from(cursor)
                    .start()) {
                assertThat(columnsOfRow(live)).startsWith("x varchar(9)");
            }
            assertThat(epoch(cursor, folder)).isPositive();
        }
    }

    /** A statement may be older than its file, by its session's clock or since it took long. */
    @Test
    void aStatementThatIsOlderThanItsFileIsRecognizedThere(@TempDir Path folder) throws Exception {
        try (MySqlServer server = start(MySqlOptions.defaults())) {
            server.execute("create table shop.old (a int)");
            SourceOptions options = byFileFrom(server);
            Cursor cursor;
            try (LiveSource live = LiveSource.reading(options, LARGE)
                    .schema(Sources.history(folder))
                    .start()) {
                server.execute(
                        "set timestamp = 1000000000",
                        "alter table shop.old add column b int",
                        "insert into shop.old values (1, 1)");
                assertThat(columnsOfRow(live)).contains("b int");
                cursor = live.cursor();
            }
            server.execute("insert into shop.old values (2, 2)", "alter table shop.old drop column b");

            try (LiveSource live = LiveSource.reading(options, LARGE)
                    .schema(Sources.history(folder))
                    .from(cursor)
                    .start()) {
                assertThat(columnsOfRow(live)).contains("b int");
            }
            assertThat(epoch(cursor, folder)).isZero();
        }
    }

    /** Nothing connects to the server between the two statements: it would find that the GTIDs are gone. */
    private static void resetKeepingGtids(MySqlServer server, GatedProxy proxy) {
        String executed = server.binlogEnd().gtidSet();
        proxy.refuse();
        server.execute("reset master", "set global gtid_purged = '%s'".formatted(executed));
        proxy.open();
    }

    /** Which binlog of the source the history is about, which is larger after each reset that was noticed. */
    private static long epoch(Cursor cursor, Path folder) throws Exception {
        try (SchemaHistory kept = SchemaHistory.open(
                Objects.requireNonNull(Sources.history(folder).history()), Time.SYSTEM)) {
            long epoch = kept.recorded().newestEpoch(cursor.source().identity());
            assertThat(kept.recorded().end(cursor.source().identity(), epoch)).isNotNull();
            return epoch;
        }
    }

    private static SourceOptions byFileFrom(MySqlServer server) {
        return Sources.options(
                Sources.byFile(), new SourceHost(Sources.login(server.port()), Sources.at(server.binlogEnd())));
    }

    private static String columnsOfRow(LiveSource live) throws Exception {
        List<Entry> entries = live.readUntil(entry -> entry.kind() == EntryKind.ROWS);
        live.readUntil(entry -> entry.kind() == EntryKind.END);
        return EntryColumns.of(entries.get(entries.size() - 1));
    }

    /** MariaDB does not end the dump: it waits for more in a file that is deleted. */
    @Test
    void aDumpOfADeletedFileIsEnded() throws Exception {
        try (MySqlServer server = start(MySqlOptions.defaults().release(ServerRelease.MARIADB_10_11));
                LiveSource live = source(server.port(), PositionOptions.DEFAULT, server.binlogEnd())) {
            insert(server, 1, BEFORE, 1_000);
            live.readRows(BEFORE);
            await().until(() -> live.lag().equals(Lag.NONE));
            String state = server.query("select @@gtid_binlog_state");

            server.execute("reset master", "set global gtid_binlog_state = '%s'".formatted(state));
            assertThat(server.binlogEnd().file()).endsWith("000001");
            await().until(() -> live.lag().equals(Lag.UNKNOWN));
            insert(server, 101, FEW, 10);
            assertThat(live.readRows(FEW)).isEqualTo(FEW);
            insert(server, 201, MANY, 1_000);

            assertThat(live.readRows(MANY)).isEqualTo(MANY);
            assertThat(live.readings()).hasSize(2);
            await().until(() -> live.lag().equals(Lag.NONE));
            assertThat(live.failure()).isNull();
        }
    }

    /** The numbers of what was read were given again while the connection was broken, and more than these. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_10_11"})
    void gtidsThatWereGivenAgainStopTheSource(ServerRelease release) throws Exception {
        try (MySqlServer server = start(MySqlOptions.defaults().release(release).gtid());
                GatedProxy proxy = new GatedProxy(server.port())) {
            BinlogEnd begin = server.rotateBinlog();
            try (LiveSource live = source(proxy.port(), PositionOptions.DEFAULT, begin)) {
                insert(server, 1, FEW, 10);
                live.readRows(FEW);
                long read = seconds(server);
                proxy.shut();
                await().until(() -> !live.retries().isEmpty());

                await().until(() -> seconds(server) > read);
                server.execute("reset master");
                insert(server, 101, MANY, 10);
                server.rotateBinlog();
                proxy.open();

                await().until(() -> live.failure() != null || live.readings().size() > 1);
                assertThat(live.kind()).isEqualTo(SourceFailure.DIVERGED);
                assertThat(live.failure())
                        .hasMessageContaining("GTIDs were given again")
                        .hasMessageContaining("000001:");
            }
        }
    }

    /** The new file has an event where the old one had one, so that the server sends it as it was requested. */
    @Test
    void withoutGtidsANewFileOfTheSameNameStopsTheSource() throws Exception {
        try (MySqlServer server = start(MySqlOptions.defaults());
                GatedProxy proxy = new GatedProxy(server.port())) {
            BinlogEnd begin = server.rotateBinlog();
            long begun = seconds(server);
            try (LiveSource live = source(proxy.port(), Sources.byFile(), begin)) {
                insert(server, 1, FEW, 10);
                live.readRows(FEW);
                BinlogEnd end = server.binlogEnd();
                proxy.shut();
                await().until(() -> !live.retries().isEmpty());

                await().until(() -> seconds(server) > begun + 1);
                server.execute("delete from shop.item", "reset master");
                assertThat(server.rotateBinlog()).isEqualTo(begin);
                insert(server, 1, FEW, 10);
                assertThat(server.binlogEnd()).isEqualTo(end);
                insert(server, 101, FEW, 10);
                proxy.open();

                await().until(() -> live.failure() != null);
                assertThat(live.kind()).isEqualTo(SourceFailure.PURGED);
                assertThat(live.failure()).hasMessageContaining("another file").hasMessageContaining(end.file());
            }
        }
    }

    /** Each server tells the time at which a file was begun, also if it is asked for a position within the file, and after a crash. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MARIADB_11_8"})
    void theSameFileIsRecognizedWithoutGtids(ServerRelease release) throws Exception {
        try (MySqlServer server = start(MySqlOptions.defaults().release(release));
                GatedProxy proxy = new GatedProxy(server.port())) {
            BinlogEnd begin = server.rotateBinlog();
            long begun = seconds(server);
            try (LiveSource live = source(proxy.port(), Sources.byFile(), begin)) {
                insert(server, 1, FEW, 10);
                live.readRows(FEW);
                proxy.shut();
                await().until(() -> !live.retries().isEmpty());
                await().until(() -> seconds(server) > begun + 1);
                insert(server, 101, FEW, 10);
                proxy.open();
                assertThat(live.readRows(FEW)).isEqualTo(FEW);

                proxy.shut();
                insert(server, 201, FEW, 10);
                server.kill();
                server.restart();
                insert(server, 301, FEW, 10);
                proxy.open();
                assertThat(live.readRows(2 * FEW)).isEqualTo(2 * FEW);
                assertThat(live.failure()).isNull();
            }
        }
    }

    private static MySqlServer start(MySqlOptions options) {
        MySqlServer server = MySqlServer.start(options);
        server.execute("create database shop", "create table shop.item (id int primary key, note text)");
        return server;
    }

    private static LiveSource source(int port, PositionOptions rules, BinlogEnd begin) {
        SourceHost host = new SourceHost(Sources.login(port), Sources.at(begin));
        return LiveSource.reading(Sources.options(rules, host), LARGE).start();
    }

    private static void insert(MySqlServer server, int from, int rows, int bytes) {
        for (int id = from; id < from + rows; id++) {
            server.execute("insert into shop.item values (%d, repeat('x', %d))".formatted(id, bytes));
        }
    }

    private static long seconds(MySqlServer server) {
        return Long.parseLong(String.valueOf(server.query("select unix_timestamp()")));
    }

    private static boolean isAt(LiveSource live, BinlogEnd end) {
        return live.cursor().position().offset() == end.offset()
                && live.cursor().gtidSet().equals(end.gtidSet());
    }
}
