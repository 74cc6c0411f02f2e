package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A temporary table hides a table of the same name from its session, and its statements are in the binlog unless all are logged as rows. */
@Timeout(60)
class TemporaryTablesIT {
    @ParameterizedTest
    @EnumSource(
            value = ServerRelease.class,
            names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MARIADB_11_8"})
    void changeNoOtherTable(ServerRelease release) throws Exception {
        try (MySqlServer server = MySqlServer.start(release)) {
            server.createReplicationUser("canal", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
            BinlogEnd start = server.binlogEnd();
            server.execute(
                    "create database shop",
                    "create table shop.t (id int primary key, a int, b varchar(10))",
                    "insert into shop.t values (1, 2, 'b')");
            try (Connection session = server.connect();
                    Statement statement = session.createStatement()) {
                statement.execute("set session binlog_format = statement");
                statement.execute("create temporary table shop.t (id int primary key, a int, b varchar(10))");
                statement.execute("alter table shop.t change a q int, change b r varchar(10)");
                server.execute("insert into shop.t values (2, 3, 'c')");
                statement.execute("drop index `primary` on shop.t");
                statement.execute("alter table shop.t add primary key (id)");
                server.execute("insert into shop.t values (3, 4, 'd')");
                statement.execute("create table shop.l like shop.t");
                server.execute("insert into shop.l values (7, 8, 'l')");
                statement.execute("alter table shop.t rename to shop.u, drop column q, add column z int");
                server.execute("insert into shop.t values (4, 5, 'e')");
                statement.execute("drop table shop.u");
                statement.execute("alter table shop.t change a a2 int");
            }
            server.execute("insert into shop.t values (5, 6, 'f')", "create table shop.the_end (id int)");

            assertThat(rows(server, start))
                    .containsExactly(
                            "{\"id\":\"1\",\"a\":\"2\",\"b\":\"b\"}",
                            "{\"id\":\"2\",\"a\":\"3\",\"b\":\"c\"}",
                            "{\"id\":\"3\",\"a\":\"4\",\"b\":\"d\"}",
                            "{\"id\":\"7\",\"q\":\"8\",\"r\":\"l\"}",
                            "{\"id\":\"4\",\"a\":\"5\",\"b\":\"e\"}",
                            "{\"id\":\"5\",\"a2\":\"6\",\"b\":\"f\"}");
        }
    }

    /** A server flags all statements of a procedure after one that used a temporary table. */
    @ParameterizedTest
    @EnumSource(
            value = ServerRelease.class,
            names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MARIADB_11_8"})
    void aTableThatAProcedureChangesAfterOneIsNoTemporaryTable(ServerRelease release) throws Exception {
        try (MySqlServer server = MySqlServer.start(release)) {
            server.createReplicationUser("canal", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
            BinlogEnd start = server.binlogEnd();
            server.execute(
                    "create database shop",
                    "create table shop.t (id int primary key, a int, b varchar(10))",
                    "insert into shop.t values (1, 2, 'b')",
                    "create procedure shop.change_t() begin create temporary table shop.helper (id int);"
                            + " alter table shop.t change a q int, change b r varchar(10); end",
                    "call shop.change_t()",
                    "insert into shop.t values (2, 3, 'c')",
                    "create table shop.the_end (id int)");

            assertThat(rows(server, start))
                    .containsExactly(
                            "{\"id\":\"1\",\"a\":\"2\",\"b\":\"b\"}", "{\"id\":\"2\",\"q\":\"3\",\"r\":\"c\"}");
        }
    }

    /** All rows, which name the primary key. */
    private static List<String> rows(MySqlServer server, BinlogEnd start) throws InterruptedException {
        ConnectOptions login = ConnectOptions.of(new ServerAddress(server.host(), server.port()), "canal", "secret");
        SourceOptions options = LiveSource.options(login, new BinlogPosition(start.file(), start.offset()));
        List<String> rows = new ArrayList<>();
        try (LiveSource live = LiveSource.start(options, null, new RingConfig(1 << 8, 1 << 14, false), false)) {
            for (Entry entry : live.readUntil(entry -> entry.tableName().equals("the_end"))) {
                if (entry.kind() == EntryKind.ROWS) {
                    ByteWriter out = new ByteWriter(256);
                    Encodings.writeFlat(entry, out, 1, 1);
                    String message = new String(out.toByteArray(), StandardCharsets.UTF_8);
                    assertThat(message).contains("\"pkNames\":[\"id\"]");
                    rows.add(message.substring(message.indexOf('[') + 1, message.indexOf("],\"database\"")));
                }
            }
        }
        return rows;
    }
}
