package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ReplicationPair;
import io.sluice.testkit.mysql.ServerRelease;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** With GTIDs, while nothing reads the source: its binlog is reset, and may give the GTIDs of what was read to other transactions. */
@Timeout(600)
class GtidResetIT {
    private static final RingConfig LARGE = new RingConfig(1 << 16, 1 << 12, false);
    private static final int FEW = 5;
    private static final int MANY = 40;

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MARIADB_10_11", "MARIADB_11_8"})
    void gtidsThatWereGivenAgainAreNotSkipped(ServerRelease release) throws Exception {
        try (MySqlServer server = start(MySqlOptions.defaults().release(release).gtid())) {
            Cursor cursor = readSome(server);

            server.execute("reset master");
            insert(server, 101, MANY);
            server.rotateBinlog();

            assertStops(cursor, server);
            Cursor ofAnother = new Cursor(
                    SourceServer.at("localhost", server.port() + 1),
                    cursor.position(),
                    cursor.gtidSet(),
                    cursor.serverId(),
                    cursor.timestampMillis(),
                    null,
                    cursor.fileBegunSeconds());
            assertStops(ofAnother, server); // as after a fail-over
        }
    }

    /** The transactions before it are known as executed, as after a backup was restored. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_10_11"})
    void aResetThatKeepsTheGtidsIsPassed(ServerRelease release) throws Exception {
        try (MySqlServer server = start(MySqlOptions.defaults().release(release).gtid())) {
            Cursor cursor = readSome(server);
            String kept = release.isMariaDb()
                    ? "gtid_binlog_state = '" + server.query("select @@gtid_binlog_state") + "'"
                    : "gtid_purged = '" + server.binlogEnd().gtidSet() + "'";

            server.execute("reset master", "set global " + kept);
            server.rotateBinlog();
            insert(server, 101, MANY);

            assertReads(cursor, MANY, server);
        }
    }

    /** A replica that was made again writes the same transactions with the same GTIDs, long after they were read. */
    @Test
    void aReplicaThatReplicatesAgainIsReadOn() throws Exception {
        try (ReplicationPair pair = ReplicationPair.start()) {
            MySqlServer replica = pair.replica();
            pair.source().execute("create database shop", "create table shop.item (id int primary key, note text)");
            insert(pair.source(), 1, FEW);
            pair.awaitReplica();
            Cursor cursor = readAll(replica);

            replica.execute("stop replica", "drop database shop", "reset master", "reset replica");
            insert(pair.source(), 101, FEW);
            replica.execute("start replica");
            pair.awaitReplica();

            assertReads(cursor, FEW, replica);
            assertReads(cursor, FEW, pair.source());
            pair.promote();
            insert(replica, 201, 1);
            assertReads(cursor, FEW + 1, replica);
        }
    }

    /** The events of a transaction have the times of its statements, and its GTID that of its commit, which a replica may write otherwise. */
    @Test
    void aLongTransactionThatWasReadFromAReplicaIsContinuedOnTheSource() throws Exception {
        try (ReplicationPair pair = ReplicationPair.start()) {
            MySqlServer source = pair.source();
            source.execute("create database shop", "create table shop.item (id int primary key, note text)");
            String file = source.rotateBinlog().file();
            try (Connection connection = source.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("begin");
                for (int id = 1; id <= FEW; id++) {
                    statement.execute("insert into shop.item values (%d, 'x')".formatted(id));
                }
                long now = seconds(source);
                await().until(() -> seconds(source) > now + 1);
                statement.execute("commit");
            }
            pair.awaitReplica();
            Cursor cursor = readAll(pair.replica());
            source.execute("purge binary logs to '" + file + "'");
            insert(source, 101, FEW);

            assertReads(cursor, FEW, source);
        }
    }

    /** What was read last is within a transaction whose statements are older than all that is left of what was read before. */
    @Test
    void aFailoverWithinALongTransactionToAReplicaWithAYoungBinlogIsPassed() throws Exception {
        try (ReplicationPair pair = ReplicationPair.start();
                GatedProxy proxy = new GatedProxy(pair.source().port());
                Connection connection = pair.source().connect();
                Statement statement = connection.createStatement()) {
            MySqlServer replica = pair.replica();
            pair.source().execute("create database shop", "create table shop.item (id int primary key, note longtext)");
            statement.execute("begin");
            for (int id = 1; id <= MANY; id++) {
                statement.execute("insert into shop.item values (%d, repeat('x', 1000000))".formatted(id));
            }
            long now = seconds(pair.source());
            await().until(() -> seconds(pair.source()) > now);
            pair.awaitReplica();
            replica.execute(
                    "stop replica",
                    "reset master",
                    "set global gtid_purged = '%s'"
                            .formatted(pair.source().binlogEnd().gtidSet()),
                    "start replica");
            insert(pair.source(), 101, FEW);
            statement.execute("commit");
            pair.awaitReplica();

            SourceOptions options = Sources.options(
                    PositionOptions.DEFAULT,
                    new SourceHost(Sources.login(proxy.port()), new ConfiguredStart.Earliest()),
                    Sources.host(replica, new ConfiguredStart.Earliest()));
            try (LiveSource live = LiveSource.reading(options, new RingConfig(8, 1 << 12, false))
                    .start()) {
                assertThat(live.readRows(FEW)).isEqualTo(FEW);
                live.readUntil(entry -> entry.kind() == EntryKind.ROWS);
                proxy.shut();
                live.readUntil(entry -> entry.kind() == EntryKind.END);

                assertThat(live.retries()).isNotEmpty();
                assertThat(live.failure()).isNull();
            }
        }
    }

    /** The files that the cursor was in are purged, and nothing that was read is left. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_10_11"})
    void purgedFilesThatWereReadAreNotNeeded(ServerRelease release) throws Exception {
        try (MySqlServer server = start(MySqlOptions.defaults().release(release).gtid())) {
            Cursor cursor = readSome(server);
            String file = server.rotateBinlog().file();
            server.execute("purge binary logs to '" + file + "'");
            insert(server, 101, FEW);

            assertReads(cursor, FEW, server);
        }
    }

    /** The domain may begin again at its first number, which is delivered; the others are continued. */
    @ParameterizedTest
    @CsvSource({
        "MARIADB_10_11, false",
        "MARIADB_11_8, true" // what is to be read next is in a file whose head still states the domain
    })
    void aDomainThatWasDeletedIsNotMissing(ServerRelease release, boolean hasUnread) throws Exception {
        try (MySqlServer server = start(MySqlOptions.defaults().release(release));
                GatedProxy proxy = new GatedProxy(server.port())) {
            insertInDomain7(server, 901);
            insertInDomain7(server, 902);
            server.rotateBinlog();
            insert(server, 1, FEW - 2);
            Cursor cursor = readAll(server);
            assertThat(cursor.gtidSet()).contains("7-1-2");
            SourceOptions options = Sources.options(
                    PositionOptions.DEFAULT,
                    new SourceHost(Sources.login(proxy.port()), new ConfiguredStart.Earliest()));
            try (LiveSource live = LiveSource.reading(options, LARGE).start()) {
                assertThat(live.readRows(FEW)).isEqualTo(FEW);
                proxy.shut();
                await().until(() -> !live.retries().isEmpty());
                int unread = hasUnread ? 2 : 0;
                insert(server, 101, unread);
                if (release == ServerRelease.MARIADB_11_8) {
                    server.execute("set global slave_connections_needed_for_purge = 0");
                }
                String first = cursor.position().file();
                await().until(
                                () -> { // the broken dump may still hold the older file
                                    server.execute("purge binary logs to '" + first + "'");
                                    return first.equals(server.query("show binary logs"));
                                });
                server.execute("flush binary logs delete_domain_id = (7)");
                assertThat(server.binlogEnd().gtidSet()).doesNotContain("7-");
                insert(server, 201, 1);
                proxy.open();
                assertThat(live.readRows(unread + 1)).isEqualTo(unread + 1);
                assertThat(live.failure()).isNull();
                assertReads(cursor, unread + 1, server);

                if (hasUnread) { // the request had the domain, in which the server would now send nothing
                    proxy.shut();
                    await().until(() -> live.retries().size() > 1);
                    proxy.open();
                    await().until(() -> live.readings().size() > 2);
                }
                insertInDomain7(server, 903);
                assertThat(live.readRows(1)).isOne();
                await().until(() -> {
                    live.next();
                    return live.cursor().gtidSet().contains("7-1-1");
                });
            }
        }
    }

    private static void insertInDomain7(MySqlServer server, int id) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set session gtid_domain_id = 7");
            statement.execute("insert into shop.item values (%d, 'x')".formatted(id));
        }
    }

    private static void assertStops(Cursor cursor, MySqlServer host) throws InterruptedException {
        try (LiveSource live = start(cursor, host)) {
            await().until(() -> live.failure() != null || !live.readings().isEmpty());

            assertThat(live.readings()).isEmpty();
            assertThat(live.kind()).isEqualTo(SourceFailure.DIVERGED);
            assertThat(live.failure())
                    .hasMessageContaining("GTIDs were given again")
                    .hasMessageContaining("000001:");
        }
    }

    private static void assertReads(Cursor cursor, int rows, MySqlServer host) throws InterruptedException {
        try (LiveSource live = start(cursor, host)) {
            await().until(() -> live.failure() != null || !live.readings().isEmpty());

            assertThat(live.failure()).isNull();
            assertThat(live.readRows(rows)).isEqualTo(rows);
        }
    }

    private static MySqlServer start(MySqlOptions options) {
        MySqlServer server = MySqlServer.start(options);
        server.execute("create database shop", "create table shop.item (id int primary key, note text)");
        return server;
    }

    private static LiveSource start(Cursor cursor, MySqlServer host) {
        SourceOptions options =
                Sources.options(PositionOptions.DEFAULT, Sources.host(host, new ConfiguredStart.Earliest()));
        return LiveSource.reading(options, LARGE).from(cursor).start();
    }

    private static Cursor readSome(MySqlServer server) throws InterruptedException {
        insert(server, 1, FEW);
        return readAll(server);
    }

    /** Reads the first rows; returns the cursor after them, once the server's clock shows another second. */
    private static Cursor readAll(MySqlServer server) throws InterruptedException {
        Cursor cursor;
        try (LiveSource live = start(null, server)) {
            assertThat(live.readRows(FEW)).isEqualTo(FEW);
            String executed = server.binlogEnd().gtidSet();
            await().until(() -> {
                live.next();
                return live.cursor().gtidSet().equals(executed);
            });
            cursor = live.cursor();
        }
        long now = seconds(server);
        await().until(() -> seconds(server) > now);
        return cursor;
    }

    private static long seconds(MySqlServer server) {
        return Long.parseLong(String.valueOf(server.query("select unix_timestamp()")));
    }

    private static void insert(MySqlServer server, int from, int rows) {
        for (int id = from; id < from + rows; id++) {
            server.execute("insert into shop.item values (%d, 'x')".formatted(id));
        }
    }
}
