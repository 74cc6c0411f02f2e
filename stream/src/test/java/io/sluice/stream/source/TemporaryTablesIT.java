package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.HistoryConfigs;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A temporary table hides a table of the same name from its session, and its statements are in the binlog unless all are logged as rows. */
@Timeout(600)
class TemporaryTablesIT {
    @TempDir
    private Path folder;

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

    /** The reader is behind: the source already has the next DDL of the table, so it does not tell which columns the first rows have. */
    @ParameterizedTest
    @EnumSource(
            value = ServerRelease.class,
            names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MARIADB_10_11", "MARIADB_11_8"})
    void aTableThatAProcedureChangesTwiceAfterOneIsNoTemporaryTable(ServerRelease release) throws Exception {
        try (MySqlServer server = MySqlServer.start(release)) {
            server.createReplicationUser("canal", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
            BinlogEnd start = server.binlogEnd();
            server.execute(
                    "create database shop",
                    "create table shop.t (id int primary key, a varchar(10), b varchar(10))",
                    "insert into shop.t values (1, 'a', 'b')",
                    "create procedure shop.change_t() begin"
                            + " create temporary table shop.helper (id int); insert into shop.helper values (1);"
                            + " alter table shop.t change a q varchar(10); insert into shop.t values (2, 'a', 'b');"
                            + " alter table shop.t drop column b; insert into shop.t values (3, 'a');"
                            + " drop temporary table shop.helper; end",
                    "call shop.change_t()",
                    "alter table shop.t add column c int",
                    "insert into shop.t values (4, 'a', 5)",
                    "create table shop.the_end (id int)");

            assertThat(rows(server, start))
                    .containsExactly(
                            "{\"id\":\"1\",\"a\":\"a\",\"b\":\"b\"}",
                            "{\"id\":\"2\",\"q\":\"a\",\"b\":\"b\"}",
                            "{\"id\":\"3\",\"q\":\"a\"}",
                            "{\"id\":\"4\",\"q\":\"a\",\"c\":\"5\"}");
        }
    }

    /** MariaDB flags the statement as one that uses temporary tables whenever it has replaced a table. */
    @ParameterizedTest
    @EnumSource(
            value = ServerRelease.class,
            names = {"MARIADB_10_11", "MARIADB_11_8"})
    void aTableIsReplacedByOneLikeAnother(ServerRelease release) throws Exception {
        try (MySqlServer server = MySqlServer.start(release)) {
            server.createReplicationUser("canal", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
            BinlogEnd start = server.binlogEnd();
            server.execute(
                    "create database shop",
                    "create table shop.t (id int primary key, a int)",
                    "create table shop.u (id int primary key, b int)",
                    "create or replace table shop.t like shop.u",
                    "insert into shop.t values (1, 2)",
                    "create or replace table shop.t like shop.u",
                    "insert into shop.t values (2, 3)",
                    "create or replace table shop.t (id int primary key, z int)",
                    "create table shop.the_end (id int)");

            assertThat(rows(server, start)).containsExactly("{\"id\":\"1\",\"b\":\"2\"}", "{\"id\":\"2\",\"b\":\"3\"}");
        }
    }

    /** A table gets no names of a temporary one that was created before the reader was started again: it stops, each time. */
    @Test
    void areNotTakenForOthersAfterARestart() throws Exception {
        try (MySqlServer server = MySqlServer.start(ServerRelease.MYSQL_5_7_22)) {
            server.createReplicationUser("canal", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
            BinlogEnd start = server.binlogEnd();
            server.execute(
                    "create database shop", "create table shop.t (id int primary key, a varchar(10), b varchar(10))");
            Cursor cursor;
            try (Connection session = server.connect();
                    Statement statement = session.createStatement()) {
                statement.execute("set session binlog_format = statement");
                statement.execute("create temporary table shop.t (id int, a varchar(10), b varchar(10))");
                server.execute("create table shop.the_end (id int)");
                try (LiveSource first = read(server, start, null)) {
                    first.readUntil(TemporaryTablesIT::isEnd);
                    cursor = first.cursor();
                }
                statement.execute("alter table shop.t change a b varchar(10), change b a varchar(10)");
                server.execute(
                        "create table shop.u (id int primary key)",
                        "insert into shop.u values (7)",
                        "insert into shop.t values (1, 'a', 'b')",
                        "alter table shop.t drop column id",
                        "insert into shop.t values ('a', 'b')");
            }
            for (int run = 1; run <= 2; run++) {
                try (LiveSource again = read(server, start, cursor)) {
                    assertThatThrownBy(() -> again.readUntil(entry -> entry.kind() == EntryKind.ROWS
                                    && entry.tableName().equals("t")))
                            .hasMessage("the source failed");
                    assertThat(again.kind()).isEqualTo(SourceFailure.SCHEMA_MISMATCH);
                    cursor = again.cursor();
                }
            }
        }
    }

    private static boolean isEnd(Entry entry) {
        return entry.tableName().equals("the_end");
    }

    private LiveSource read(MySqlServer server, BinlogEnd start, Cursor cursor) {
        ConnectOptions login = ConnectOptions.of(new ServerAddress(server.host(), server.port()), "canal", "secret");
        SourceOptions options = LiveSource.options(login, new BinlogPosition(start.file(), start.offset()));
        HistoryConfig history = HistoryConfigs.of("shop", HistoryLocation.parse("jdbc:h2:h2", folder));
        return LiveSource.reading(options, new RingConfig(1 << 8, 1 << 14, false))
                .schema(new SchemaOptions(history, null))
                .from(cursor)
                .start();
    }

    /** MariaDB renames temporary tables too, and does not flag the statement. The source does not have the tables any more when it is read. */
    @ParameterizedTest
    @ValueSource(strings = {"mixed", "statement"})
    void areRenamedWithoutOthersOfTheirName(String format) throws Exception {
        try (MySqlServer server = MySqlServer.start(ServerRelease.MARIADB_11_8)) {
            server.createReplicationUser("canal", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
            BinlogEnd start = server.binlogEnd();
            server.execute(
                    "create database shop",
                    "create table shop.t (id int primary key, a int, b varchar(10))",
                    "create table shop.u (id int primary key, x int, y varchar(10))");
            try (Connection session = server.connect();
                    Statement statement = session.createStatement()) {
                statement.execute("set session binlog_format = " + format);
                statement.execute("create temporary table shop.t (id int primary key, c int, d varchar(10))");
                statement.execute("rename table shop.t to shop.u");
                server.execute("insert into shop.t values (1, 2, 'b')", "insert into shop.u values (2, 3, 'y')");
                statement.execute("alter table shop.u change c q int");
                statement.execute("rename table shop.u to shop.w, shop.t to shop.v, shop.w to shop.t");
                server.execute("insert into shop.v values (3, 4, 'b')", "insert into shop.u values (4, 5, 'y')");
                statement.execute("drop table shop.t");
                statement.execute("rename table shop.u to shop.t");
                server.execute(
                        "insert into shop.t values (5, 6, 'y')", "create table shop.u (id int primary key, z int)");
            }
            server.execute(
                    "insert into shop.u values (6, 7)",
                    "drop table shop.t, shop.u, shop.v",
                    "create table shop.the_end (id int)");

            assertThat(rows(server, start))
                    .containsExactly(
                            "{\"id\":\"1\",\"a\":\"2\",\"b\":\"b\"}",
                            "{\"id\":\"2\",\"x\":\"3\",\"y\":\"y\"}",
                            "{\"id\":\"3\",\"a\":\"4\",\"b\":\"b\"}",
                            "{\"id\":\"4\",\"x\":\"5\",\"y\":\"y\"}",
                            "{\"id\":\"5\",\"x\":\"6\",\"y\":\"y\"}",
                            "{\"id\":\"6\",\"z\":\"7\"}");
        }
    }

    /** In row format MariaDB logs of temporary tables only that they are renamed. */
    @Test
    void areRenamedToNamesOfOthersInRowFormat() throws Exception {
        try (MySqlServer server = MySqlServer.start(ServerRelease.MARIADB_11_8)) {
            server.createReplicationUser("canal", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
            BinlogEnd start = server.binlogEnd();
            server.execute(
                    "create database shop",
                    "create table shop.t (id int primary key, a int, b varchar(10))",
                    "create table shop.u (id int primary key, x int, y varchar(10))");
            try (Connection session = server.connect();
                    Statement statement = session.createStatement()) {
                statement.execute("create temporary table shop.t (id int primary key, c int, d varchar(10))");
                statement.execute("rename table shop.t to shop.u");
                server.execute(
                        "insert into shop.t values (1, 2, 'b')",
                        "insert into shop.u values (2, 3, 'y')",
                        "create table shop.the_end (id int)");
            }

            assertThat(rows(server, start))
                    .containsExactly(
                            "{\"id\":\"1\",\"a\":\"2\",\"b\":\"b\"}", "{\"id\":\"2\",\"x\":\"3\",\"y\":\"y\"}");
        }
    }

    /** In row format MariaDB logs only the rename of the temporary table, so a table of its new name is made. */
    @Test
    void aTableIsMadeWithTheNewNameOfATemporaryOne() throws Exception {
        try (MySqlServer server = MySqlServer.start(ServerRelease.MARIADB_11_8)) {
            server.createReplicationUser("canal", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
            BinlogEnd start = server.binlogEnd();
            server.execute("create database shop", "create table shop.t (id int primary key, a int)");
            try (Connection session = server.connect();
                    Statement statement = session.createStatement()) {
                statement.execute("create temporary table shop.t (id int primary key, c int)");
                statement.execute("rename table shop.t to shop.u");
                server.execute(
                        "create table if not exists shop.u (id int primary key, b int)",
                        "insert into shop.t values (1, 2)",
                        "insert into shop.u values (2, 3)",
                        "create table shop.the_end (id int)");
            }

            assertThat(rows(server, start)).containsExactly("{\"id\":\"1\",\"a\":\"2\"}", "{\"id\":\"2\",\"b\":\"3\"}");
        }
    }

    /** A server that is killed logs no end of its sessions, and gives their numbers to others when it is started again. */
    @Test
    void areGoneWithTheServer() throws Exception {
        try (MySqlServer server = MySqlServer.start(ServerRelease.MARIADB_11_8)) {
            server.createReplicationUser("canal", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
            BinlogEnd start = server.binlogEnd();
            server.execute("create database shop", "create table shop.t (id int primary key, a int)");
            for (int i = 0; i < 50; i++) {
                server.connect().close(); // a start that takes long uses up numbers as well
            }
            long number = 0;
            try (Connection session = server.connect();
                    Statement statement = session.createStatement()) {
                number = numberOf(session);
                statement.execute("set session binlog_format = mixed");
                statement.execute("create temporary table shop.t (id int primary key, c int)");
                server.kill();
            } catch (SQLException e) {
                // the connection is broken
            }
            server.restart();
            Connection session = server.connect();
            while (numberOf(session) < number) {
                session.close();
                session = server.connect();
            }
            try (Statement statement = session.createStatement()) {
                assertThat(numberOf(session)).isEqualTo(number);
                statement.execute("rename table shop.t to shop.u");
                statement.execute("insert into shop.u values (1, 2)");
            }
            session.close();
            server.execute("drop table shop.u", "create table shop.the_end (id int)");

            assertThat(rows(server, start)).containsExactly("{\"id\":\"1\",\"a\":\"2\"}");
        }
    }

    private static long numberOf(Connection session) throws SQLException {
        try (Statement statement = session.createStatement();
                ResultSet rows = statement.executeQuery("select connection_id()")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** All rows, which name the primary key. */
    private static List<String> rows(MySqlServer server, BinlogEnd start) throws InterruptedException {
        ConnectOptions login = ConnectOptions.of(new ServerAddress(server.host(), server.port()), "canal", "secret");
        SourceOptions options = LiveSource.options(login, new BinlogPosition(start.file(), start.offset()));
        List<String> rows = new ArrayList<>();
        try (LiveSource live = LiveSource.reading(options, new RingConfig(1 << 8, 1 << 14, false))
                .start()) {
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
