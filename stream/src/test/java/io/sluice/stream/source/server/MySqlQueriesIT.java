package io.sluice.stream.source.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.table.TableName;
import io.sluice.testkit.mysql.MySqlServer;
import java.sql.Connection;
import java.sql.Statement;
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
