package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * MySQL keeps the values of an index on an expression in a hidden column, which early releases of 8.0 have in their table maps, between the
 * others, but not in their row images.
 */
@Timeout(600)
class FunctionalIndexIT {
    private static final RingConfig SIZE = new RingConfig(1 << 8, 1 << 14, false);
    private static final Pattern ROW = Pattern.compile("\"data\":\\[(.*?)\\],\"database\".*\"old\":(.*?),\"pkNames\"");

    @ParameterizedTest
    @CsvSource({
        "MYSQL_8_0_15, MINIMAL",
        "MYSQL_8_0_15, FULL",
        "MYSQL_8_0_31, MINIMAL",
        "MYSQL_8_0_31, FULL",
        "MYSQL_9_7, MINIMAL"
    })
    void anIndexShiftsNoColumn(ServerRelease release, String metadata) throws Exception {
        try (MySqlServer server = server(release, metadata);
                LiveSource live = read(server)) {
            server.execute(
                    "create database shop",
                    "create table shop.t (id int primary key, a int, name varchar(20), index low ((lower(name))),"
                            + " index sum ((a + 1), a))");
            assertThat(row(live, server, "insert into shop.t values (1, 10, 'One')"))
                    .isEqualTo("{\"id\":\"1\",\"a\":\"10\",\"name\":\"One\"} null");

            server.execute("alter table shop.t add column b varchar(10) default 'b'");
            assertThat(row(live, server, "insert into shop.t values (2, 20, 'Two', 'x')"))
                    .isEqualTo("{\"id\":\"2\",\"a\":\"20\",\"name\":\"Two\",\"b\":\"x\"} null");

            server.execute(
                    "create index twice on shop.t ((a * 2))",
                    "alter table shop.t add column c int default 7 after a, algorithm = copy");
            assertThat(row(live, server, "update shop.t set a = 11, name = 'Uno' where id = 1"))
                    .isEqualTo("{\"id\":\"1\",\"a\":\"11\",\"c\":\"7\",\"name\":\"Uno\",\"b\":\"b\"}"
                            + " [{\"a\":\"10\",\"name\":\"One\"}]");

            // the same columns in another order: the text of an index moves behind the text of the table
            server.execute("drop index low on shop.t", "create index low on shop.t ((lower(name)))");
            assertThat(row(live, server, "update shop.t set b = 'y' where id = 1"))
                    .isEqualTo("{\"id\":\"1\",\"a\":\"11\",\"c\":\"7\",\"name\":\"Uno\",\"b\":\"y\"} [{\"b\":\"b\"}]");

            server.execute("alter table shop.t drop index sum, add column d datetime");
            assertThat(row(live, server, "delete from shop.t where id = 2"))
                    .isEqualTo("{\"id\":\"2\",\"a\":\"20\",\"c\":\"7\",\"name\":\"Two\",\"b\":\"x\",\"d\":null} null");

            server.execute("create table shop.u like shop.t");
            assertThat(row(live, server, "insert into shop.u select * from shop.t"))
                    .isEqualTo("{\"id\":\"1\",\"a\":\"11\",\"c\":\"7\",\"name\":\"Uno\",\"b\":\"y\",\"d\":null} null");
        }
    }

    /** Then the present columns of the source would be names for the wrong values. */
    @Test
    void anIndexThatWasMadeAgainMeanwhileStopsTheStream() throws Exception {
        try (MySqlServer server = server(ServerRelease.MYSQL_8_0_15, "MINIMAL")) {
            BinlogPosition start = end(server);
            server.execute(
                    "create database shop",
                    "create table shop.t (id int primary key, name varchar(20), index low ((lower(name))))",
                    "alter table shop.t add column b varchar(20)",
                    "insert into shop.t values (1, 'One', 'x')",
                    "drop index low on shop.t",
                    "create index low on shop.t ((lower(name)))",
                    "create table shop.the_end (id int)");

            try (LiveSource live = LiveSource.reading(LiveSource.options(login(server), start), SIZE)
                    .start()) {
                assertThatThrownBy(
                                () -> live.readUntil(entry -> entry.tableName().equals("the_end")))
                        .hasStackTraceContaining("rows of shop.t at")
                        .hasStackTraceContaining("indexes on expressions")
                        .hasStackTraceContaining("binlog_row_metadata=FULL");
            }
        }
    }

    private static MySqlServer server(ServerRelease release, String metadata) {
        MySqlServer server =
                MySqlServer.start(MySqlOptions.defaults().release(release).rowMetadata(metadata));
        server.createReplicationUser("canal", "secret", AuthPlugin.CACHING_SHA2_PASSWORD);
        return server;
    }

    private static LiveSource read(MySqlServer server) {
        return LiveSource.reading(LiveSource.options(login(server), end(server)), SIZE)
                .start();
    }

    private static ConnectOptions login(MySqlServer server) {
        return ConnectOptions.of(new ServerAddress(server.host(), server.port()), "canal", "secret");
    }

    private static BinlogPosition end(MySqlServer server) {
        BinlogEnd end = server.binlogEnd();
        return new BinlogPosition(end.file(), end.offset());
    }

    /** What leaves for a statement: the row, and its values before. */
    private static String row(LiveSource live, MySqlServer server, String sql) throws InterruptedException {
        server.execute(sql);
        Entry last = null;
        for (Entry next : live.readUntil(entry -> entry.kind() == EntryKind.ROWS)) {
            last = next;
        }
        ByteWriter out = new ByteWriter(256);
        Encodings.writeFlat(last, out, 1, 1);
        Matcher row = ROW.matcher(new String(out.toByteArray(), StandardCharsets.UTF_8));
        assertThat(row.find()).isTrue();
        return row.group(1) + " " + row.group(2);
    }
}
