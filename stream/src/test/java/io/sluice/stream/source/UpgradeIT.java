package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.debian.ServerUnavailableException;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import io.sluice.testkit.workload.RandomWorkload;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A newer server is started on the data of an older one, while the source reads it or before it continues. */
@Tag("thorough")
@Timeout(600)
class UpgradeIT {
    private static final RingConfig RING = new RingConfig(1 << 10, 1 << 14, false);
    private static final long SEED = 8_031;
    private static final int CHANGES = 1_500;
    private static final List<String> TABLES =
            List.of("orders", "order_lines", "customers", "visits", "every_type", "sluice_end");

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "MYSQL_5_7_22,MYSQL_8_0_31,true,true",
        "MYSQL_5_7_22,MYSQL_8_0_31,true,false",
        "MYSQL_5_7_22,MYSQL_8_0_31,false,true",
        "MYSQL_5_7_22,MYSQL_8_0_31,false,false",
        "MYSQL_8_0_15,MYSQL_8_0_31,true,false",
        "MYSQL_8_0_15,MYSQL_8_0_31,false,true",
        "MARIADB_10_11,MARIADB_11_8,true,true",
        "MARIADB_10_11,MARIADB_11_8,false,false",
    })
    void losesAndDoublesNothing(ServerRelease older, ServerRelease newer, boolean byGtid, boolean readsMeanwhile)
            throws Exception {
        MySqlOptions options = MySqlOptions.defaults()
                .release(older)
                .with("max-binlog-size", "256K")
                .dataDirectory(folder.resolve("data"));
        if (byGtid && !older.isMariaDb()) {
            options = options.gtid();
        }
        PositionOptions rules = byGtid ? PositionOptions.DEFAULT : Sources.byFile();
        Sources.Delivered delivered = new Sources.Delivered(Duplicates.FORBIDDEN);
        AtomicInteger port = new AtomicInteger();
        LiveSource live = null;
        try (GatedProxy proxy = new GatedProxy(port::get)) {
            Cursor cursor;
            try (MySqlServer server = start(options)) {
                port.set(server.port());
                server.createReplicationUser("reader", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
                live = start(proxy, rules, Sources.at(server.binlogEnd()), null);
                change(server, "old_one", SEED);
                delivered.add(live.readUntil(endOf("old_one")));
                cursor = live.cursor();
                if (!readsMeanwhile) {
                    live.close();
                }
                change(server, "old_two", SEED + 1);
                alter(server, "old_two");
                touch(server, "old_one");
            }
            try (MySqlServer server = start(options.release(newer))) {
                port.set(server.port());
                touch(server, "old_two");
                alter(server, "old_one");
                touch(server, "old_one");
                if (!readsMeanwhile) {
                    live = start(proxy, rules, new ConfiguredStart.Newest(), cursor);
                }
                change(server, "new_one", SEED + 2);
                delivered.add(live.readUntil(endOf("new_one")));
                assertThat(live.failure()).isNull();
                assertThat(live.retries().isEmpty()).isNotEqualTo(readsMeanwhile);
                try (Connection connection = connect(server)) {
                    StateComparison.requireEqual(
                            ServerState.of(connection, "old_one", "old_two", "new_one"), delivered.model());
                }
            }
        } finally {
            if (live != null) {
                live.close();
            }
        }
    }

    private LiveSource start(GatedProxy proxy, PositionOptions rules, ConfiguredStart start, Cursor cursor) {
        ConnectOptions login = ConnectOptions.of(new ServerAddress("127.0.0.1", proxy.port()), "reader", "secret")
                .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30));
        return LiveSource.reading(Sources.options(rules, new SourceHost(login, start)), RING)
                .schema(Sources.history(folder))
                .from(cursor)
                .start();
    }

    private static MySqlServer start(MySqlOptions options) {
        try {
            return MySqlServer.start(options);
        } catch (ServerUnavailableException e) {
            return abort(e.getMessage());
        }
    }

    /** With a collation that both servers have, as the driver's choice depends on the release. */
    private static Connection connect(MySqlServer server) throws SQLException {
        return DriverManager.getConnection(server.jdbcUrl() + "&connectionCollation=utf8mb4_general_ci", "root", "");
    }

    private static void change(MySqlServer server, String schema, long seed) throws SQLException {
        RandomWorkload workload =
                new RandomWorkload(RandomWorkload.Options.of(seed, CHANGES).schema(schema));
        try (Connection connection = connect(server)) {
            workload.run(connection);
            workload.markTheEnd(connection);
        }
    }

    /** Changes each row, of which the old server has written all or some. */
    private static void touch(MySqlServer server, String schema) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            statement.execute("set sql_mode = 'NO_ENGINE_SUBSTITUTION'");
            for (String table : TABLES) {
                statement.execute("update %s.%s set version = version + 1000000".formatted(schema, table));
            }
        }
    }

    private static void alter(MySqlServer server, String schema) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            statement.execute("set sql_mode = 'NO_ENGINE_SUBSTITUTION'");
            for (String table : TABLES) {
                statement.execute("alter table %s.%s add column added varchar(20)".formatted(schema, table));
            }
        }
    }

    private static Predicate<Entry> endOf(String schema) {
        boolean[] seen = {false};
        return entry -> {
            seen[0] |= entry.kind() == EntryKind.ROWS
                    && entry.schemaName().equals(schema)
                    && entry.tableName().equals("sluice_end");
            return seen[0] && entry.kind() == EntryKind.END;
        };
    }
}
