package io.sluice.stream.source.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.protocol.time.Time;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.table.TableName;
import io.sluice.stream.source.server.UnloggedCascades.Found;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import io.sluice.testkit.proxy.HoldingProxy;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UnloggedCascadesIT {
    private static final Pattern EVENT =
            Pattern.compile("^(Table_map|\\w+_rows\\w*) table_id: (\\d+)(?: \\(fk\\.(\\w+)\\))?");

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final String ACCOUNT = "reader";

    @ParameterizedTest
    @EnumSource(
            value = ServerRelease.class,
            names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MARIADB_11_8"})
    void findsTheTablesWhoseRowsAForeignKeyChangesUnlogged(ServerRelease release) throws Exception {
        try (MySqlServer server = MySqlServer.start(release)) {
            makeTables(server);
            server.execute("delete from fk.parent where id = 1");
            assertThat(changedTables(server)).containsExactly("parent");

            assertThat(found(server))
                    .containsExactly(
                            new TableName("fk", "deleted"),
                            new TableName("fk", "nulled"),
                            new TableName("fk", "updated"));
            try (SourceQueries queries = new MySqlQueries(login(server))) {
                assertThat(queries.unloggedCascades(new TableFilter("fk\\.(parent|.*ed)", "fk\\.nulled"))
                                .tables())
                        .containsExactly(new TableName("fk", "deleted"), new TableName("fk", "updated"));
            }
            assertThat(found(server, 2, Time.SYSTEM)).isEqualTo(found(server, 100, Time.SYSTEM));
            server.execute("revoke all privileges, grant option from " + ACCOUNT);
            assertThat(found(server)).isEmpty();
        }
    }

    @Test
    void allTablesOfAMariaDbAreLookedAtWhileThereIsTime() throws Exception {
        try (MySqlServer server = MySqlServer.start(ServerRelease.MARIADB_11_8)) {
            makeTables(server);
            server.execute(IntStream.range(0, 250)
                    .mapToObj(i ->
                            "create table fk.a%03d (id int, foreign key (id) references fk.parent (id))".formatted(i))
                    .toArray(String[]::new));
            ConnectOptions login = login(server);
            try (MySqlConnection connection = MySqlConnection.open(login)) {
                assertThat(UnloggedCascades.read(connection, login, table -> true, TIMEOUT, Time.SYSTEM)
                                .tables())
                        .extracting(TableName::table)
                        .containsExactly("deleted", "nulled", "updated");
            }

            Found cut = found(
                    server,
                    252,
                    new Readings(4)); // at the begin, for each of two pages, and before the first definitions
            assertThat(cut.tables()).extracting(TableName::table).containsExactly("deleted");
            assertThat(cut.unknown()).isEqualTo(2);
        }
    }

    @Test
    void findsNoneWhereTheServerLogsWhatForeignKeysChange() throws Exception {
        try (MySqlServer server = MySqlServer.start(ServerRelease.MYSQL_9_7)) {
            makeTables(server);
            server.execute("delete from fk.parent where id = 1");
            assertThat(changedTables(server))
                    .containsExactlyInAnyOrder("deleted", "nulled", "parent")
                    .endsWith("parent");

            assertThat(found(server)).isEmpty();
        }
    }

    @Test
    void findsThemWhereTheServerLeavesForeignKeysToTheEngine() throws Exception {
        MySqlOptions options =
                MySqlOptions.defaults().release(ServerRelease.MYSQL_9_7).with("innodb_native_foreign_keys", "ON");
        try (MySqlServer server = MySqlServer.start(options)) {
            makeTables(server);
            server.execute("delete from fk.parent where id = 1");
            assertThat(changedTables(server)).containsExactly("parent");

            assertThat(found(server)).hasSize(3);
        }
    }

    @Test
    void aServerThatDoesNotListThemInTimeIsAskedOtherThingsAfterwards() throws Exception {
        try (MySqlServer server = MySqlServer.start();
                HoldingProxy proxy = new HoldingProxy(server::port);
                SourceQueries queries = new MySqlQueries(
                        ConnectOptions.of(new ServerAddress(server.host(), proxy.port()), "root", ""))) {
            assertThat(queries.variable("log_bin")).isEqualTo("1");
            proxy.hold();

            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> queries.unloggedCascades(new TableFilter("", "")));
            proxy.admit();

            assertThat(queries.variable("log_bin")).isEqualTo("1");
        }
    }

    private static void makeTables(MySqlServer server) {
        server.execute(
                "create database fk",
                "create table fk.parent (id int primary key)",
                "create table fk.deleted (id int primary key, p int, q int,"
                        + " foreign key (p) references fk.parent (id) on delete cascade,"
                        + " foreign key (q) references fk.parent (id) on delete cascade)",
                "create table fk.nulled (id int primary key, p int,"
                        + " foreign key (p) references fk.parent (id) on delete set null)",
                "create table fk.updated (id int primary key, p int,"
                        + " foreign key (p) references fk.parent (id) on update cascade)",
                "create table fk.checked (id int primary key, p int comment 'on delete cascade',"
                        + " foreign key (p) references fk.parent (id) on delete restrict)",
                "insert into fk.parent values (1), (2)",
                "insert into fk.deleted values (1, 1, null)",
                "insert into fk.nulled values (1, 1)",
                "flush logs",
                "create user " + ACCOUNT,
                "grant select, replication slave, replication client on *.* to " + ACCOUNT);
    }

    private static ConnectOptions login(MySqlServer server) {
        return ConnectOptions.of(new ServerAddress(server.host(), server.port()), ACCOUNT, "");
    }

    private static List<TableName> found(MySqlServer server) throws IOException {
        Found found = found(server, 100, Time.SYSTEM);
        assertThat(found.unknown()).isZero();
        return found.tables();
    }

    private static Found found(MySqlServer server, int atOnce, Time time) throws IOException {
        ConnectOptions login = login(server);
        try (MySqlConnection connection = MySqlConnection.open(login)) {
            return UnloggedCascades.read(connection, login, table -> true, TIMEOUT, time, atOnce, atOnce);
        }
    }

    /** A clock by which the timeout has passed when it is read often enough. */
    private static final class Readings implements Time {
        private final int most;
        private int readings;

        Readings(int most) {
            this.most = most;
        }

        @Override
        public long nanos() {
            readings++;
            return readings <= most ? 0 : TIMEOUT.toNanos();
        }

        @Override
        public long millis() {
            return 0;
        }

        @Override
        public void sleep(Duration length) {}
    }

    /** The tables in the newest file of the binlog whose rows it has, in their order. */
    private static List<String> changedTables(MySqlServer server) throws IOException {
        ConnectOptions root = ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", "");
        Map<String, String> names = new HashMap<>();
        List<String> changed = new ArrayList<>();
        try (MySqlConnection connection = MySqlConnection.open(root)) {
            String file = server.binlogEnd().file();
            for (QueryResult.Row row :
                    connection.query("show binlog events in '" + file + "'").rows()) {
                Matcher event = EVENT.matcher(row.text(2) + " " + row.text(5));
                if (event.find() && event.group(3) != null) {
                    names.put(event.group(2), event.group(3));
                } else if (event.find(0)) {
                    changed.add(names.get(event.group(2)));
                }
            }
        }
        return changed;
    }
}
