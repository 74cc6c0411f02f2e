package io.sluice.stream.source.schema;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.HistoryConfigs;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.EntryColumns;
import io.sluice.stream.source.LiveSource;
import io.sluice.stream.source.SourceOptions;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A first start at an old position, since which tables were changed: the source shows what they are now. */
@Timeout(600)
class PastSchemasIT {
    private static MySqlServer server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @AfterEach
    void clean() {
        server.execute("set global binlog_row_metadata = 'MINIMAL'", "drop database if exists shop");
    }

    private static BinlogPosition position() {
        BinlogEnd end = server.binlogEnd();
        return new BinlogPosition(end.file(), end.offset());
    }

    private LiveSource read(BinlogPosition start, TableFilter reloaded) {
        HistoryConfig history = HistoryConfigs.of("past", HistoryLocation.parse("jdbc:h2:h2", folder));
        SourceOptions options = LiveSource.options(
                ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", ""), start);
        return LiveSource.reading(options, new RingConfig(1 << 12, 1 << 12, false))
                .schema(new SchemaOptions(history, reloaded))
                .start();
    }

    /** The columns of all rows up to the table that is made last. */
    private static List<String> columns(LiveSource live) throws InterruptedException, IOException {
        List<String> columns = new ArrayList<>();
        for (Entry entry : live.readUntil(entry -> entry.tableName().equals("the_end"))) {
            if (entry.kind() == EntryKind.ROWS) {
                columns.add(entry.tableName() + ": " + EntryColumns.of(entry));
            }
        }
        return columns;
    }

    @Test
    void columnsThatWereAddedSinceAreNotThereYet() throws Exception {
        server.execute(
                "create database shop",
                "create table shop.t (id int primary key, a int, b int)",
                "create table shop.same (id int primary key, a varchar(10))");
        BinlogPosition start = position();
        server.execute(
                "insert into shop.t values (1, 2, 3)",
                "insert into shop.same values (1, 'a')",
                "alter table shop.t add column x int after id, add index (x)",
                "insert into shop.t values (2, 7, 4, 5)",
                "alter table shop.t add column (y int, z int)",
                "insert into shop.t values (3, 7, 4, 5, 8, 9)",
                "create index of_same on shop.same (a)",
                "create table shop.later (id int primary key, q int)",
                "insert into shop.later values (1, 2)",
                "alter table shop.later change q r int",
                "insert into shop.later values (2, 2)",
                "create table shop.the_end (id int)");

        try (LiveSource live = read(start, null)) {
            assertThat(columns(live))
                    .containsExactly(
                            "t: id int, a int, b int [\"id\"]",
                            "same: id int, a varchar(10) [\"id\"]",
                            "t: id int, x int, a int, b int [\"id\"]",
                            "t: id int, x int, a int, b int, y int, z int [\"id\"]",
                            "later: id int, q int [\"id\"]",
                            "later: id int, r int [\"id\"]");
        }
    }

    /** Rows under the names of other columns would be worse than none. */
    @Test
    void aTableThatWasChangedOtherwiseIsRejected() throws Exception {
        BinlogPosition start = changed();

        try (LiveSource live = read(start, null)) {
            await().until(() -> live.failure() != null);

            assertThat(live.failure())
                    .hasMessageContaining("the columns of 1 tables at " + start)
                    .hasMessageContaining("shop.t (by the DDL at " + start.file())
                    .hasMessageContaining("canal.instance.schema.reload");
        }
    }

    /** A table gets the columns that its original had then, which the source does not tell any more. */
    @Test
    void aCopyOfATableThatWasChangedAfterItIsRejected() throws Exception {
        server.execute("create database shop", "create table shop.template (id int primary key, a int, b int)");
        BinlogPosition start = position();
        server.execute(
                "create table shop.copy like shop.template",
                "insert into shop.copy values (1, 2, 3)",
                "alter table shop.template change a b int, change b a int");

        try (LiveSource live = read(start, null)) {
            await().until(() -> live.failure() != null);

            assertThat(live.failure()).hasMessageContaining("shop.copy (by the DDL at " + start.file());
        }
    }

    @Test
    void tablesThatArePartitionedByAnExpressionAreRead() throws Exception {
        server.execute("create database shop");
        server.execute(
                "create table shop.hashed (id int primary key, a int) partition by hash (id % 8) partitions 8",
                "create table shop.ranged (id int, d date, primary key (id, d)) partition by range (year(d) * 100 + month(d))"
                        + " (partition p0 values less than (202501), partition p1 values less than maxvalue)");
        BinlogPosition start = position();
        server.execute(
                "insert into shop.hashed values (1, 2)",
                "insert into shop.ranged values (1, '2026-01-01')",
                "create table shop.the_end (id int)");

        try (LiveSource live = read(start, null)) {
            assertThat(columns(live))
                    .containsExactly("hashed: id int, a int [\"id\"]", "ranged: id int, d date [\"id\",\"d\"]");
        }
    }

    @Test
    void anOperatorMayHaveItReadWithThePresentColumns() throws Exception {
        server.execute("create database shop", "create table shop.t (id int primary key, a int, b int)");
        BinlogPosition start = position();
        server.execute(
                "insert into shop.t values (1, 2, 3)",
                "alter table shop.t change b c int",
                "insert into shop.t values (2, 2, 3)",
                "create table shop.the_end (id int)");

        try (LiveSource live = read(start, new TableFilter("shop\\.t", ""))) {
            assertThat(columns(live))
                    .hasSize(2)
                    .allMatch(columns -> columns.equals("t: id int, a int, c int [\"id\"]"));
        }
    }

    @Test
    void rowsFromBeforeThatSettingAreRejected() throws Exception {
        BinlogPosition start = changed();
        server.execute("set global binlog_row_metadata = 'FULL'");

        try (LiveSource live = read(start, null)) {
            await().until(() -> live.failure() != null);

            assertThat(live.failure()).hasMessageContaining("shop.t (by the DDL at " + start.file());
        }
    }

    /** The table map of another table under the name may be the same. */
    @Test
    void rowsOfATableThatGotTheNameAreSeen() throws Exception {
        server.execute(
                "create database shop",
                "create table shop.t (id int primary key, a int, b int)",
                "create table shop.other (id int primary key, b int, a int)");
        BinlogPosition start = position();
        server.execute(
                "insert into shop.other values (1, 3, 2)",
                "rename table shop.t to shop.former, shop.other to shop.t",
                "insert into shop.t values (2, 3, 2)",
                "alter table shop.t add column x int after id",
                "create table shop.the_end (id int)");

        try (LiveSource live = read(start, null)) {
            await().until(() -> live.failure() != null);

            assertThat(live.failure()).hasMessageContaining("shop.t (by the DDL at " + start.file());
        }
    }

    @Test
    void aTableMapThatNamesItsColumnsIsEnough() throws Exception {
        server.execute("set global binlog_row_metadata = 'FULL'");

        try (LiveSource live = read(changed(), null)) {
            assertThat(columns(live))
                    .containsExactly("t: id int, a int, b int [\"id\"]", "t: id int, b int, a int [\"id\"]");
        }
    }

    /** The names are the same, but a value is the number of a member. */
    @Test
    void membersAreThoseThatTheTableMapStates() throws Exception {
        server.execute(
                "set global binlog_row_metadata = 'FULL'",
                "create database shop",
                "create table shop.t (id int primary key, a enum('x','it''s'), b set('p','q'), c int)");
        BinlogPosition start = position();
        server.execute(
                "insert into shop.t values (1, 'x', 'p', -1)",
                "update shop.t set c = 1",
                "alter table shop.t modify a enum('it''s','x'), modify b set('q','p'), modify c int unsigned",
                "create table shop.the_end (id int)");

        try (LiveSource live = read(start, null)) {
            assertThat(columns(live))
                    .hasSize(2)
                    .containsOnly("t: id int, a enum('x','it''s'), b set('p','q'), c int [\"id\"]");
        }
    }

    /** The transaction is read from its begin. */
    @Test
    void theStartMayBeWithinATransaction() throws Exception {
        server.execute("create database shop", "create table shop.t (id int primary key, a int)");
        BinlogPosition before = position();
        server.execute("begin", "insert into shop.t values (1, 2)", "insert into shop.t values (2, 3)", "commit");
        BinlogPosition after = position();
        server.execute(
                "alter table shop.t add column x int after id",
                "insert into shop.t values (3, 7, 4)",
                "create table shop.the_end (id int)");

        try (LiveSource live = read(secondTableMap(before, after), null)) {
            assertThat(columns(live))
                    .containsExactly(
                            "t: id int, a int [\"id\"]",
                            "t: id int, a int [\"id\"]",
                            "t: id int, x int, a int [\"id\"]");
        }
    }

    private static BinlogPosition secondTableMap(BinlogPosition from, BinlogPosition until) throws SQLException {
        List<Long> maps = new ArrayList<>();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet events = statement.executeQuery(
                        "show binlog events in '%s' from %d".formatted(from.file(), from.offset()))) {
            while (events.next() && events.getLong("Pos") < until.offset()) {
                if (events.getString("Event_type").equals("Table_map")) {
                    maps.add(events.getLong("Pos"));
                }
            }
        }
        return new BinlogPosition(from.file(), maps.get(1));
    }

    /** Exchanges two columns. */
    private static BinlogPosition changed() {
        server.execute("create database shop", "create table shop.t (id int primary key, a int, b int)");
        BinlogPosition start = position();
        server.execute(
                "insert into shop.t values (1, 2, 3)",
                "alter table shop.t rename column a to b, rename column b to a",
                "insert into shop.t values (2, 2, 3)",
                "create table shop.the_end (id int)");
        return start;
    }
}
