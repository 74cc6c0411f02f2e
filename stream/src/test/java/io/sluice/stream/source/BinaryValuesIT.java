package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.split.RowCut;
import io.sluice.format.split.RowKey;
import io.sluice.format.split.RowPieces;
import io.sluice.format.value.ColumnTypes;
import io.sluice.format.value.ValueOptions;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.PartialImagePolicy;
import io.sluice.stream.options.StreamOptions;
import io.sluice.testkit.check.Change;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.FixedBytes;
import io.sluice.testkit.check.FlatRecords;
import io.sluice.testkit.check.Problem;
import io.sluice.testkit.check.RawRecords;
import io.sluice.testkit.check.Row;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.junit.Seeded;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What becomes of the zero bytes at the end of {@code BINARY(n)}, which no server logs: all of them are delivered if that is
 * wanted, else none, in both forms, in all row images, in partition hashes and in keys of messages.
 */
@Timeout(600)
class BinaryValuesIT {
    private static final RingConfig RING = new RingConfig(1 << 14, 1 << 14, false);
    private static final List<String> SCHEMAS = List.of("bytes_asked", "bytes_stated");
    private static final String VALUES = "(id INT PRIMARY KEY, b_0 BINARY(0), b_1 BINARY(1), b_16 BINARY(16),"
            + " b_255 BINARY(255), cb CHAR(9) CHARACTER SET binary, cy CHAR(4) BYTE, vb VARBINARY(16), bl BLOB,"
            + " ch CHAR(5) CHARACTER SET latin1)";
    private static final String KEYED = "(id BINARY(16) PRIMARY KEY, v BINARY(4), t TEXT)";
    private static final int ROWS = 30;

    private final SplittableRandom random;

    BinaryValuesIT(@Seeded SplittableRandom random) {
        this.random = random;
    }

    @ParameterizedTest
    @EnumSource
    void binaryValuesHaveAllTrailingZerosOrNone(ServerRelease release) throws Exception {
        try (MySqlServer server = MySqlServer.start(MySqlOptions.defaults().release(release));
                Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            BinlogEnd start = server.rotateBinlog();
            create(statement, SCHEMAS.get(0));
            try (LiveSource exact = start(server, 4715, start, true);
                    LiveSource asCanal = start(server, 4716, start, false)) {
                create(statement, SCHEMAS.get(1));
                List<String> images = new ArrayList<>(List.of("FULL", "MINIMAL", "NOBLOB"));
                if (release == ServerRelease.MARIADB_11_8) {
                    images.add("FULL_NODUP");
                }
                for (String image : images) {
                    statement.execute("SET SESSION binlog_row_image = " + image);
                    for (String schema : SCHEMAS) {
                        change(statement, schema);
                    }
                }
                statement.execute("CREATE TABLE bytes_asked.last_one (id INT)");

                List<Entry> entries = exact.readUntil(BinaryValuesIT::isLast);
                requireState(connection, entries, FixedBytes.EXACT);
                requireKeys(entries, 16);
                List<Entry> others = asCanal.readUntil(BinaryValuesIT::isLast);
                requireState(connection, others, FixedBytes.STRIPPED);
                requireKeys(others, -1);
            }
        }
    }

    /** The length is that of the table map, whatever the table schema was when the stream began. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void theLengthFollowsTheTable(ServerRelease release) throws Exception {
        try (MySqlServer server = MySqlServer.start(MySqlOptions.defaults().release(release));
                Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE grown");
            statement.execute("CREATE TABLE grown.t (id INT PRIMARY KEY, b BINARY(2))");
            BinlogEnd start = server.rotateBinlog();
            try (LiveSource live = start(server, 4715, start, true)) {
                statement.execute("INSERT INTO grown.t VALUES (1, x'61'), (2, ''), (3, NULL)");
                // The definition that a stream starts with can only be asked for while no DDL has changed it.
                List<Entry> entries = new ArrayList<>(live.readUntil(entry -> entry.kind() == EntryKind.END));
                statement.execute("ALTER TABLE grown.t MODIFY b BINARY(5)");
                statement.execute("INSERT INTO grown.t VALUES (4, x'6100'), (5, x'0000000061')");
                statement.execute("CREATE TABLE grown.last_one (id INT)");

                entries.addAll(live.readUntil(BinaryValuesIT::isLast));
                List<String> values = new ArrayList<>();
                for (Change change : raw(entries)) {
                    if (change instanceof Change.OfRow row) {
                        values.add(row.after().value("b"));
                    }
                }
                assertThat(values).containsExactly("a\0", "\0\0", null, "a\0\0\0\0", "\0\0\0\0a");
            }
        }
    }

    private static LiveSource start(MySqlServer server, int replicaId, BinlogEnd start, boolean exact) {
        SourceOptions options = new SourceOptions(
                Sources.login(server.port()),
                replicaId,
                new BinlogPosition(start.file(), start.offset()),
                null,
                List.of(),
                List.of(),
                Duration.ofSeconds(5));
        // Completed, so that each flat message says which row it is about.
        PartialImagePolicy images = new PartialImagePolicy(true, PartialImagePolicy.Reported.NONE, false, "");
        return LiveSource.reading(options, RING).stream(StreamOptions.DEFAULT.with(images))
                .types(new ColumnTypes(ValueOptions.in(ZoneOffset.UTC).withExactBinary(exact)))
                .start();
    }

    private static void create(Statement statement, String schema) throws SQLException {
        statement.execute("CREATE DATABASE " + schema);
        statement.execute("CREATE TABLE %s.bytes %s".formatted(schema, VALUES));
        statement.execute("CREATE TABLE %s.keyed %s".formatted(schema, KEYED));
    }

    /** Fills the tables, changes all values and many keys, and deletes some rows. */
    private void change(Statement statement, String schema) throws SQLException {
        statement.execute("DELETE FROM %s.bytes".formatted(schema));
        statement.execute("DELETE FROM %s.keyed".formatted(schema));
        for (int id = 0; id < ROWS; id++) {
            statement.execute("INSERT INTO %s.bytes VALUES (%d, '', %s, %s, %s, %s, %s, %s, %s, 'x ')"
                    .formatted(schema, id, any(1), any(16), any(255), any(9), any(4), any(16), any(40)));
            statement.execute("INSERT IGNORE INTO %s.keyed VALUES (%s, %s, 'text')".formatted(schema, key(16), any(4)));
        }
        for (int id = 0; id < ROWS; id += 2) {
            statement.execute("UPDATE %s.bytes SET b_16 = %s, b_255 = %s, cy = %s WHERE id = %d"
                    .formatted(schema, any(16), any(255), any(4), id));
            statement.execute("UPDATE %s.keyed SET v = %s ORDER BY id LIMIT 3".formatted(schema, any(4)));
            statement.execute("UPDATE IGNORE %s.keyed SET id = %s ORDER BY v, id LIMIT 1".formatted(schema, key(16)));
        }
        statement.execute("DELETE FROM %s.keyed ORDER BY id LIMIT 3".formatted(schema));
    }

    private String any(int most) {
        return random.nextInt(6) == 0 ? "NULL" : key(most);
    }

    /** Few or many bytes, zeros among them and at their end. */
    private String key(int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = random.nextInt(3) == 0 ? 0 : (byte) random.nextInt(256);
        }
        return "x'" + HexFormat.of().formatHex(bytes) + "'";
    }

    private static boolean isLast(Entry entry) {
        return entry.tableName().equals("last_one");
    }

    private void requireState(Connection connection, List<Entry> entries, FixedBytes form) throws Exception {
        for (List<Change> changes : List.of(raw(entries), flat(entries))) {
            StateModel model = new StateModel(Duplicates.FORBIDDEN);
            model.apply(changes);
            List<Object> wrong = new ArrayList<>(model.problems());
            // The old value of a changed column is in no minimal image, so the reader of flat messages takes the new
            // one for it.
            wrong.removeIf(problem -> ((Problem) problem).kind() == Problem.Kind.OTHER_BEFORE_IMAGE);
            wrong.addAll(
                    StateComparison.compare(ServerState.of(connection, SCHEMAS.toArray(new String[0])), model, form));
            assertThat(wrong).as("%s", form).isEmpty();
        }
    }

    private static List<Change> raw(List<Entry> entries) throws Exception {
        RawRecords records = new RawRecords();
        List<Change> changes = new ArrayList<>();
        for (Entry entry : entries) {
            ByteWriter out = new ByteWriter(256);
            Encodings.writeProtobuf(entry, out);
            changes.addAll(records.read("raw", 0, 0, io.sluice.protocol.entry.Entry.parseFrom(out.toByteArray())));
        }
        return changes;
    }

    private static List<Change> flat(List<Entry> entries) {
        FlatRecords records = new FlatRecords();
        List<Change> changes = new ArrayList<>();
        for (Entry entry : entries) {
            ByteWriter out = new ByteWriter(256);
            if (Encodings.writeFlat(entry, out, 1, 1)) {
                changes.addAll(records.read("flat", 0, 0, out.toByteArray()));
            }
        }
        return changes;
    }

    /** Hashes and keys of messages are those of what is delivered. */
    private static void requireKeys(List<Entry> entries, int length) throws Exception {
        int seen = 0;
        for (Entry entry : entries) {
            if (entry.kind() != EntryKind.ROWS || !entry.tableName().equals("keyed")) {
                continue;
            }
            RowPieces pieces = Encodings.pieces(entry, new RowCut(RowKey.PRIMARY, RowKey.PRIMARY, false, false));
            List<Change> changes = raw(List.of(entry));
            for (int i = 0; i < pieces.count(); i++) {
                Change.OfRow change = (Change.OfRow) changes.get(i);
                Row named = change.after() == null ? change.before() : change.after();
                String id = named.value("id");
                assertThat(new String(pieces.messageKey(i), StandardCharsets.UTF_8))
                        .isEqualTo(id);
                assertThat(pieces.hash(i)).isEqualTo(id.hashCode());
                if (length >= 0) {
                    assertThat(id).hasSize(length);
                } else {
                    assertThat(id).doesNotEndWith("\0");
                }
                seen++;
            }
        }
        assertThat(seen).isGreaterThan(100);
    }
}
