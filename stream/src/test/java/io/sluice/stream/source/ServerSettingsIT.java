package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.debian.ServerUnavailableException;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import io.sluice.testkit.workload.RandomWorkload;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings that decide what a binlog looks like are changed while it is read. */
@Tag("thorough")
@Timeout(600)
class ServerSettingsIT {
    private static final RingConfig RING = new RingConfig(1 << 10, 1 << 14, false);
    private static final long SEED = 20_261_129;

    private static final List<String> OF_MYSQL = List.of(
            "set global binlog_checksum = NONE",
            "set global binlog_row_metadata = FULL",
            "set binlog_transaction_compression = ON, binlog_transaction_compression_level_zstd = 1",
            "set binlog_row_image = NOBLOB",
            "set global binlog_checksum = CRC32",
            "set binlog_rows_query_log_events = ON",
            "set binlog_row_image = FULL, binlog_row_value_options = PARTIAL_JSON",
            "set global binlog_row_metadata = MINIMAL",
            "set binlog_transaction_compression_level_zstd = 22");

    private static final List<String> OF_MARIA_DB = List.of(
            "set gtid_domain_id = 5",
            "set global binlog_checksum = NONE",
            "set global log_bin_compress = ON",
            "set binlog_annotate_row_events = OFF",
            "set gtid_domain_id = 4294967295",
            "set global binlog_checksum = CRC32",
            "set gtid_domain_id = 0",
            "set server_id = 4000000000",
            "set global binlog_row_metadata = FULL",
            "set global log_bin_compress = OFF");

    @TempDir
    Path folder;

    /** By the steps of the manual, up and down and up again; the source continues at its cursor after every second one. */
    @ParameterizedTest
    @CsvSource({"MYSQL_5_7_22,true", "MYSQL_8_0_31,false", "MYSQL_8_0_31,true", "MYSQL_9_7,true"})
    void gtidsAreSwitchedOnAndOff(ServerRelease release, boolean byGtid) throws Exception {
        MySqlOptions options = MySqlOptions.defaults()
                .release(release)
                .with("gtid-mode", "OFF")
                .with("enforce-gtid-consistency", "ON");
        PositionOptions rules = byGtid ? PositionOptions.DEFAULT : Sources.byFile();
        Sources.Delivered delivered = new Sources.Delivered(Duplicates.FORBIDDEN);
        List<String> schemas = new ArrayList<>();
        try (MySqlServer server = start(options)) {
            LiveSource live = start(server, rules, Sources.at(server.binlogEnd()), null);
            try {
                for (String mode : List.of(
                        "OFF",
                        "OFF_PERMISSIVE",
                        "ON_PERMISSIVE",
                        "ON",
                        "ON_PERMISSIVE",
                        "OFF_PERMISSIVE",
                        "OFF",
                        "OFF_PERMISSIVE",
                        "ON_PERMISSIVE",
                        "ON")) {
                    server.execute("set global gtid_mode = " + mode);
                    String schema = nextOf(schemas);
                    change(server, schema, List.of());
                    delivered.add(live.readUntil(endOf(schema)));
                    Cursor cursor = live.cursor();
                    if (schemas.size() % 2 == 0) {
                        live.close();
                        live = start(server, rules, new ConfiguredStart.Newest(), cursor);
                    }
                }
                String schema = nextOf(schemas);
                change(server, schema, List.of());
                delivered.add(live.readUntil(endOf(schema)));
                assertThat(live.cursor().gtidSet())
                        .isEqualTo(byGtid ? server.binlogEnd().gtidSet() : "");
            } finally {
                live.close();
            }
            assertSame(server, schemas, delivered);
        }
    }

    /** Each step leaves those before it as they are. */
    @ParameterizedTest
    @CsvSource({"MYSQL_8_0_31,true", "MYSQL_8_0_31,false", "MYSQL_9_7,true"})
    void formsOfEventsChange(ServerRelease release, boolean byGtid) throws Exception {
        MySqlOptions options = MySqlOptions.defaults().release(release);
        PositionOptions rules = byGtid ? PositionOptions.DEFAULT : Sources.byFile();
        Sources.Delivered delivered = new Sources.Delivered(Duplicates.FORBIDDEN);
        List<String> schemas = new ArrayList<>();
        try (MySqlServer server = start(byGtid ? options.gtid() : options);
                LiveSource live = start(server, rules, Sources.at(server.binlogEnd()), null)) {
            for (int i = 1; i <= OF_MYSQL.size(); i++) {
                String schema = nextOf(schemas);
                change(server, schema, OF_MYSQL.subList(0, i));
                delivered.add(live.readUntil(endOf(schema)));
            }
            assertThat(live.retries()).isEmpty();
            assertSame(server, schemas, delivered);
        }
    }

    /** The server is restarted after each, and the source continues at its cursor. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tagsChange(boolean byGtid) throws Exception {
        MySqlOptions options =
                MySqlOptions.defaults().release(ServerRelease.MYSQL_9_7).gtid();
        PositionOptions rules = byGtid ? PositionOptions.DEFAULT : Sources.byFile();
        Sources.Delivered delivered = new Sources.Delivered(Duplicates.FORBIDDEN);
        List<String> schemas = new ArrayList<>();
        try (MySqlServer server = start(options)) {
            LiveSource live = start(server, rules, Sources.at(server.binlogEnd()), null);
            try {
                for (String next :
                        List.of("AUTOMATIC:one", "AUTOMATIC", "AUTOMATIC:two", "AUTOMATIC:One", "AUTOMATIC:_3")) {
                    String schema = nextOf(schemas);
                    change(server, schema, List.of("set gtid_next = '" + next + "'"));
                    delivered.add(live.readUntil(endOf(schema)));
                    Cursor cursor = live.cursor();
                    if (byGtid) {
                        assertThat(cursor.gtidSet())
                                .isEqualTo(server.binlogEnd().gtidSet());
                    }
                    live.close();
                    server.restart();
                    live = start(server, rules, new ConfiguredStart.Newest(), cursor);
                }
            } finally {
                live.close();
            }
            assertSame(server, schemas, delivered);
        }
    }

    @ParameterizedTest
    @CsvSource({"MARIADB_10_11,true", "MARIADB_11_8,false", "MARIADB_11_8,true"})
    void domainsAndEventsOfMariaDbChange(ServerRelease release, boolean byGtid) throws Exception {
        MySqlOptions options = MySqlOptions.defaults().release(release).with("binlog-row-event-max-size", "256");
        PositionOptions rules = byGtid ? PositionOptions.DEFAULT : Sources.byFile();
        Sources.Delivered delivered = new Sources.Delivered(Duplicates.FORBIDDEN);
        List<String> schemas = new ArrayList<>();
        try (MySqlServer server = start(options)) {
            LiveSource live = start(server, rules, Sources.at(server.binlogEnd()), null);
            try {
                for (int i = 1; i <= OF_MARIA_DB.size(); i++) {
                    String schema = nextOf(schemas);
                    change(server, schema, OF_MARIA_DB.subList(0, i));
                    delivered.add(live.readUntil(endOf(schema)));
                    Cursor cursor = live.cursor();
                    if (schemas.size() % 3 == 0) {
                        live.close();
                        live = start(server, rules, new ConfiguredStart.Newest(), cursor);
                    }
                }
            } finally {
                live.close();
            }
            assertSame(server, schemas, delivered);
        }
    }

    private LiveSource start(MySqlServer server, PositionOptions rules, ConfiguredStart start, Cursor cursor) {
        return LiveSource.reading(Sources.options(rules, Sources.host(server, start)), RING)
                .schema(Sources.history(folder))
                .from(cursor)
                .start();
    }

    private static String nextOf(List<String> schemas) {
        schemas.add("step_" + schemas.size());
        return schemas.get(schemas.size() - 1);
    }

    private static MySqlServer start(MySqlOptions options) {
        try {
            return MySqlServer.start(options);
        } catch (ServerUnavailableException e) {
            return abort(e.getMessage());
        }
    }

    private static void change(MySqlServer server, String schema, List<String> session) throws SQLException {
        RandomWorkload workload =
                new RandomWorkload(RandomWorkload.Options.of(SEED, 300).schema(schema));
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : session) {
                statement.execute(sql);
            }
            workload.run(connection);
            workload.markTheEnd(connection);
        }
    }

    private static void assertSame(MySqlServer server, List<String> schemas, Sources.Delivered delivered)
            throws SQLException {
        try (Connection connection = server.connect()) {
            StateComparison.requireEqual(ServerState.of(connection, schemas.toArray(String[]::new)), delivered.model());
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
