package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * While table schemas change at random, and the reading side is stopped and begun again at older positions, every row comes
 * with the names and types of the columns that its table had when it was written.
 */
@Timeout(600)
class DdlStormIT {
    private static final RingConfig RING = new RingConfig(1 << 14, 1 << 12, false);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int STEPS = 350;
    private static final int STEPS_BETWEEN_RESTARTS = 90;
    private static final int RESTARTS_AT_THE_END = 8;

    @TempDir
    private Path folder;

    /** Storms that once found something; others come with {@code -Dsluice.storm.seed}, at random with 0. */
    private static final Map<ServerRelease, Long> SEEDS =
            Map.of(ServerRelease.MYSQL_8_0_31, 690_618L, ServerRelease.MARIADB_10_11, 245_861L);

    private long seed;
    private Random random;
    private final List<Entry> delivered = new ArrayList<>();
    private MySqlServer server;
    private DdlStorm storm;
    private BinlogPosition start;
    private LiveSource live;

    @ParameterizedTest
    @EnumSource(
            value = ServerRelease.class,
            names = {"MYSQL_8_0_31", "MARIADB_10_11"})
    void namesEveryColumnAsItWasNamedThen(ServerRelease release) throws Exception {
        long wanted = Long.getLong("sluice.storm.seed", SEEDS.get(release));
        seed = wanted == 0 ? new Random().nextLong(1_000_000) : wanted;
        random = new Random(seed);
        try (MySqlServer started = MySqlServer.start(MySqlOptions.defaults().release(release));
                Connection connection =
                        DriverManager.getConnection(started.jdbcUrl() + "&useAffectedRows=true", "root", "")) {
            server = started;
            BinlogEnd end = server.binlogEnd();
            start = new BinlogPosition(end.file(), end.offset());
            storm = new DdlStorm(connection, random, release.isMariaDb());
            live = read(null);
            await().until(() ->
                    !live.readings().isEmpty()); // else there may be changes after the start position already
            storm.begin();
            for (int step = 1; step <= STEPS; step++) {
                storm.step();
                if (step % 20 == 0) {
                    catchUp(connection, step);
                    storm.unreadable();
                    catchUp(connection, 10_000 + step);
                }
                if (step % STEPS_BETWEEN_RESTARTS == 0) {
                    goBack();
                }
            }
            catchUp(connection, STEPS + 1);
            live.close();
            compare(release.isMariaDb());
            for (int i = 0; i < RESTARTS_AT_THE_END; i++) {
                compareFrom(anyBoundary());
            }
        } catch (AssertionError e) {
            throw new AssertionError(
                    "seed %d, source failed with %s, after %s".formatted(seed, live.failure(), taken(live.failure())),
                    e);
        } finally {
            if (live != null) {
                live.close();
            }
        }
    }

    /** The statements about the table that a failure names. */
    private List<String> taken(Throwable failure) {
        String message = String.valueOf(failure);
        return storm == null
                ? List.of()
                : storm.taken().stream()
                        .filter(sql -> DdlStorm.TABLES.stream()
                                .anyMatch(name -> message.contains("." + name + " at") && sql.contains(name)))
                        .toList();
    }

    private LiveSource read(Cursor cursor) {
        SourceOptions options = new SourceOptions(
                ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", ""),
                4714,
                start,
                null,
                List.of(),
                List.of(),
                Duration.ofSeconds(5));
        HistoryConfig history = new HistoryConfig(
                "storm",
                HistoryLocation.parse("jdbc:h2:h2", folder),
                "canal",
                "canal",
                Duration.ofHours(24),
                Duration.ofHours(360));
        return LiveSource.reading(options, RING)
                .schema(new SchemaOptions(history))
                .from(cursor)
                .start();
    }

    /** Waits until all has come that was written. */
    private void catchUp(Connection connection, int number) throws Exception {
        String name = "mark_" + number;
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table %s.%s (n int)".formatted(DdlStorm.SCHEMA, name));
            statement.execute("drop table %s.%s".formatted(DdlStorm.SCHEMA, name));
        }
        delivered.addAll(live.readUntil(
                entry -> entry.tableName().equals(name) && flat(entry).contains("\"type\":\"ERASE\"")));
    }

    /** Stops, and begins again at the position of an entry that came before. */
    private void goBack() throws Exception {
        live.close();
        int boundary = anyBoundary();
        live = read(delivered.get(boundary).cursor());
        List<Entry> again = live.readUntil(entry -> samePlace(entry, delivered.get(delivered.size() - 1)));
        assertSame(boundary, again);
    }

    private void compareFrom(int boundary) throws Exception {
        live = read(delivered.get(boundary).cursor());
        List<Entry> again = live.readUntil(entry -> samePlace(entry, delivered.get(delivered.size() - 1)));
        live.close();
        assertSame(boundary, again);
    }

    private int anyBoundary() {
        while (true) {
            int index = random.nextInt(delivered.size());
            if (delivered.get(index).isBoundary()) {
                return index;
            }
        }
    }

    private static boolean samePlace(Entry a, Entry b) {
        return a.changeId().equals(b.changeId());
    }

    /** A stream resumes after the entry of its cursor. */
    private void assertSame(int from, List<Entry> again) {
        int boundary = from + 1;
        for (int i = 0; i < again.size(); i++) {
            Entry before = delivered.get(boundary + i);
            if (!Arrays.equals(protobuf(before), protobuf(again.get(i)))) {
                assertThat(flat(again.get(i)))
                        .as(
                                "seed %d: entry %d from %s, at %s",
                                seed, i, delivered.get(from).cursor(), before.changeId())
                        .isEqualTo(flat(before));
            }
        }
        assertThat(again).as("seed %d", seed).hasSize(delivered.size() - boundary);
    }

    private void compare(boolean mariaDb) throws Exception {
        List<Entry> rows = delivered.stream()
                .filter(entry -> entry.kind() == EntryKind.ROWS)
                .filter(entry -> entry.rowCount() > 0)
                .toList();
        int changed = 0;
        for (int i = 0; i < Math.min(rows.size(), storm.written().size()); i++) {
            DdlStorm.Written expected = storm.written().get(i);
            Entry entry = rows.get(i);
            String what = "seed %d: row %d of %s.%s at %s"
                    .formatted(seed, i, expected.schema(), expected.table(), entry.changeId());
            JsonNode flat = JSON.readTree(flat(entry));
            assertThat(entry.schemaName() + "." + entry.tableName() + " "
                            + flat.path("type").asText())
                    .as(what)
                    .isEqualTo(expected.schema() + "." + expected.table() + " " + expected.event());
            List<String> ours = new ArrayList<>();
            Set<String> keys = new HashSet<>();
            flat.path("pkNames").forEach(name -> keys.add(name.asText()));
            flat.path("mysqlType")
                    .properties()
                    .forEach(column -> ours.add(column.getKey()
                            + (keys.contains(column.getKey()) ? "* " : " ")
                            + ColumnSpelling.of(column.getValue().asText(), mariaDb)));
            List<String> theirs = expected.columns().stream()
                    .map(column ->
                            column.name() + (column.key() ? "* " : " ") + ColumnSpelling.of(column.type(), mariaDb))
                    .toList();
            if (!ours.equals(theirs)) {
                assertThat(ours)
                        .as("%s, after %s", what, storm.before(expected))
                        .isEqualTo(theirs);
            }
            changed++;
        }
        assertThat(rows).as("seed %d", seed).hasSameSizeAs(storm.written());
        System.getLogger("storm")
                .log(
                        System.Logger.Level.INFO,
                        "statements {0}, refused {1}, rows {2}",
                        storm.statements(),
                        storm.refused(),
                        changed);
        assertThat(storm.statements() - storm.refused()).as("seed %d", seed).isGreaterThan(STEPS / 3);
        assertThat(changed).as("seed %d", seed).isGreaterThan(STEPS / 3);
    }

    private static byte[] protobuf(Entry entry) {
        ByteWriter out = new ByteWriter(256);
        Encodings.writeProtobuf(entry, out);
        return out.toByteArray();
    }

    private static String flat(Entry entry) {
        ByteWriter out = new ByteWriter(256);
        return Encodings.writeFlat(entry, out, 1, 1)
                ? new String(out.toByteArray(), java.nio.charset.StandardCharsets.UTF_8)
                : "";
    }
}
