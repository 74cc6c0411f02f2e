package io.sluice.stream.source.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.table.TableName;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.proxy.Gate;
import io.sluice.testkit.proxy.HoldingProxy;
import io.sluice.testkit.time.HandTime;
import io.sluice.testkit.time.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MySqlQueriesIT {
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
        return queries(user, server.port());
    }

    private static SourceQueries queries(String user, int port) {
        return new MySqlQueries(login(user, port));
    }

    private static ConnectOptions login(String user, int port) {
        return ConnectOptions.of(new ServerAddress(server.host(), port), user, "");
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

    /** As after a switch-over by the name of a host, or behind a load balancer, while the dump is still that of the former server. */
    @Test
    void anotherServerThatAnswersAfterAConnectionWasIdleIsNotAsked() throws Exception {
        HandTime time = new HandTime();
        server.execute("create database switched", "create table switched.t (id int)");
        try (RenamingProxy proxy = new RenamingProxy(server.port());
                SourceQueries queries = new MySqlQueries(login("root", proxy.port()), time)) {
            assertThat(queries.createStatement(new TableName("switched", "t"))).isNotNull();
            String uuid = String.valueOf(queries.variable("server_uuid"));
            proxy.rename(uuid, new StringBuilder(uuid).reverse().toString().replace('-', '0'));

            time.pass(Duration.ofSeconds(61));

            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> queries.createStatement(new TableName("switched", "t")))
                        .withMessageContaining("another server answers");
            }
            queries.close();
            assertThat(queries.createStatement(new TableName("switched", "t"))).isNotNull();
        }
    }

    @Test
    void anErrorOfALoginIsNoAnswerAboutATable() throws Exception {
        TableName table = new TableName("kept", "t");
        HandTime time = new HandTime();
        server.execute("create database kept", "create table kept.t (id int)", "create database tenant");
        ConnectOptions login = login("root", server.port()).withDatabase("tenant");
        try (SourceQueries queries = new MySqlQueries(login, time)) {
            assertThat(queries.createStatement(table)).isNotNull();
            server.execute("drop database tenant");

            time.pass(Duration.ofSeconds(61));

            assertThat(queries.createStatement(table)).isNotNull();
            queries.close();
            assertThatExceptionOfType(SourceException.class)
                    .isThrownBy(() -> queries.createStatement(table))
                    .withMessageContaining("1049");
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
    void namesAndTextsAreReadIndependentlyOfTheServersCharacterSet() throws Exception {
        server.execute(
                "create database texts",
                "create user plain",
                "grant select on *.* to plain",
                "set global init_connect = 'set names latin1'");
        try (SourceQueries queries = queries("plain")) {
            server.execute("create table texts.`表` (`名` enum('é','表'), `地` int)");

            assertThat(queries.createStatement(new TableName("texts", "表"))).contains("`名` enum('é','表')", "`地` int");
            assertThat(queries.tables(new TableFilter("texts\\..*", ""))).containsExactly(new TableName("texts", "表"));
        } finally {
            server.execute("set global init_connect = ''");
        }
    }

    @Test
    void listsAreWholeWhateverTheServersLimitOfRowsIs() throws Exception {
        server.execute(
                "create database lists",
                "create table lists.a (id int)",
                "create table lists.b (id int)",
                "create table lists.c (id int)",
                "set global sql_select_limit = 2");
        try (SourceQueries queries = queries("root")) {
            assertThat(queries.tables(new TableFilter("lists\\..*", ""))).hasSize(3);
            assertThat(queries.schemaCharsets()).hasSizeGreaterThan(2);
        } finally {
            server.execute("set global sql_select_limit = default");
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

    @Test
    void aProxyMayStateANewerVersionThanThatOfTheServer() throws Exception {
        try (VersionProxy proxy = new VersionProxy(server.port(), "8.0.31", "9.0.31");
                SourceQueries queries = queries("root", proxy.port())) {
            assertThat(queries.binlogEnd().file()).isEqualTo(server.binlogEnd().file());
        }
    }

    @Test
    void aProxyMayStateAnOlderVersionThanThatOfTheServer() throws Exception {
        server.execute("create database keyless", "set global show_gipk_in_create_table_and_information_schema = OFF");
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                VersionProxy proxy = new VersionProxy(server.port(), "8.0.31", "8.0.11");
                SourceQueries queries = queries("root", proxy.port())) {
            statement.execute("set session sql_generate_invisible_primary_key = ON");
            statement.execute("create table keyless.t (id int)");

            assertThat(queries.createStatement(new TableName("keyless", "t"))).contains("`my_row_id`");
        } finally {
            server.execute("set global show_gipk_in_create_table_and_information_schema = ON");
        }
    }

    @Test
    void aListOfAllTablesMayTakeLongerThanOtherAnswers() throws Exception {
        server.execute("create database listed", "create table listed.t (id int)");
        Duration limit = Duration.ofSeconds(5);
        try (HoldingProxy proxy = new HoldingProxy(server::port);
                MySqlQueries queries =
                        new MySqlQueries(login("root", proxy.port()).withTimeouts(Duration.ofSeconds(10), limit))) {
            assertThat(queries.account()).startsWith("'root'@");
            proxy.hold();
            CompletableFuture<List<TableName>> tables = CompletableFuture.supplyAsync(() -> {
                try {
                    return queries.tables(new TableFilter("listed\\..*", ""));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            Waiting.await().until(() -> proxy.heldBytes() > 0);

            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> tables.get(limit.multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS));
            proxy.release();
            assertThat(tables.get()).containsExactly(new TableName("listed", "t"));
        }
    }

    @Test
    void noQueryIsSentByAConnectionThatIsAbortedWhileItIsOpened() throws Exception {
        try (Gate gate = new Gate(server::port);
                SourceQueries queries = queries("root", gate.port())) {
            gate.freeze();
            CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> {
                try {
                    return queries.variable("server_id");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            Waiting.await().until(() -> gate.sockets() > 0);

            queries.abort();
            gate.thaw();

            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(answer::join)
                    .withMessageContaining("aborted");
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> queries.variable("server_id"));
            queries.close();
            assertThat(queries.variable("server_id")).isNotNull();
        }
    }

    @Test
    void aQueryThatIsNotAnsweredInTimeIsEnded() throws Exception {
        ConnectOptions login = login("root", server.port()).withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(1));
        try (SourceQueries queries = new MySqlQueries(login)) {
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> queries.variable("server_id, benchmark(1000000000000, md5(1))"));
        }
        Waiting.await()
                .until(() -> "0"
                        .equals(server.query("select count(*) from information_schema.processlist"
                                + " where info like 'SELECT @@global.server\\_id%'")));
    }
}
