package io.sluice.stream.source.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.table.TableName;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.time.HandTime;
import io.sluice.testkit.time.Waiting;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SourceQueriesIT {
    private static MySqlServer server;

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static SourceQueries queries(String user) {
        return new MySqlQueries(ConnectOptions.of(new ServerAddress(server.host(), server.port()), user, ""));
    }

    @Test
    void readsManyDefinitionsAndOmitsDroppedTables() throws Exception {
        int count = Integer.getInteger("sluice.tables", 450);
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create database many");
            statement.execute("create database `o;dd ``one`");
            for (int i = 0; i < count; i++) {
                statement.addBatch(
                        "create table many.t%d (id int primary key, name varchar(20) comment 'a; b', c%d date)"
                                .formatted(i, i));
            }
            statement.addBatch("create table `o;dd ``one`.`a;b``c` (x int)");
            statement.addBatch("create table `o;dd ``one`.`表` (x int)");
            statement.addBatch("create table many.left_out (x int)");
            statement.executeBatch();
        }
        try (SourceQueries queries = queries("root")) {
            long begin = System.nanoTime();
            List<TableName> tables = queries.tables(new TableFilter("many\\.t.*,o.*", ""));
            assertThat(tables).hasSize(count + 2);
            server.execute("drop table many.t0, many.t%d".formatted(count / 2), "drop database `o;dd ``one`");

            Map<TableName, String> definitions = queries.createStatements(tables);

            System.getLogger("bulk")
                    .log(
                            System.Logger.Level.INFO,
                            "tables {0}, ms {1}",
                            count,
                            (System.nanoTime() - begin) / 1_000_000);
            assertThat(definitions).hasSize(count - 2);
            assertThat(definitions.get(new TableName("many", "t7"))).contains("`c7` date", "'a; b'");
            assertThat(definitions).doesNotContainKey(new TableName("many", "t0"));
        }
    }

    /** Servers, and networks, end connections that are idle, and queries are rare while the binlog is read. */
    @Test
    void aConnectionThatWasEndedWhileItWasIdleIsReplaced() throws Exception {
        HandTime time = new HandTime();
        server.execute("create database idle", "create user idle", "grant select on idle.* to idle");
        try (SourceQueries queries = new MySqlQueries(
                        ConnectOptions.of(new ServerAddress(server.host(), server.port()), "idle", ""), time);
                Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            assertThat(queries.schemaCharset("idle")).isNotNull();
            kill(statement);

            time.pass(Duration.ofMinutes(2));

            assertThat(queries.schemaCharset("idle")).isNotNull();
        }
    }

    /** Ends the connections of the user {@code idle}. */
    private static void kill(Statement statement) throws SQLException {
        String ofIdle = "select id from information_schema.processlist where user = 'idle'";
        List<Long> ids = new ArrayList<>();
        try (ResultSet found = statement.executeQuery(ofIdle)) {
            while (found.next()) {
                ids.add(found.getLong(1));
            }
        }
        assertThat(ids).hasSize(1);
        statement.execute("kill " + ids.get(0));
        Waiting.await().until(() -> {
            try (ResultSet found = statement.executeQuery(ofIdle)) {
                return !found.next();
            }
        });
    }

    @Test
    void omitsTablesWithoutPrivileges() throws Exception {
        server.execute(
                "create database seen",
                "create table seen.a (x int)",
                "create table seen.b (x int)",
                "create user some",
                "grant select on seen.b to some");
        try (SourceQueries queries = queries("some")) {
            TableName hidden = new TableName("seen", "a");
            TableName shown = new TableName("seen", "b");

            assertThat(queries.createStatements(List.of(hidden, shown))).containsOnlyKeys(shown);
            assertThat(queries.createStatement(hidden)).isNull();
        }
    }

    @Test
    void isQuotedIndependentlyOfTheServersMode() throws Exception {
        server.execute("set global sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES'", "create database modes");
        try (SourceQueries queries = queries("root")) {
            server.execute("create table modes.t (a enum('x\\') , `b` int)");

            assertThat(queries.createStatement(new TableName("modes", "t"))).contains("`a` enum('x\\\\')");
        } finally {
            server.execute("set global sql_mode = default");
        }
    }
}
