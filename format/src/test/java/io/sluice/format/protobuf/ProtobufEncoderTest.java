package io.sluice.format.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.format.entry.EncodedEntry;
import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.RowRules;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.entry.TransactionBoundary;
import io.sluice.format.entry.TransactionGtid;
import io.sluice.format.row.MappedColumn;
import io.sluice.format.row.MappedTable;
import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import io.sluice.protocol.entry.TransactionEnd;
import io.sluice.protocol.position.SourceServer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries of rows made at random, and what protobuf's own classes read in them. */
class ProtobufEncoderTest {
    private static final int[] CODES = {ColumnCode.LONGLONG, ColumnCode.VARCHAR, ColumnCode.LONG, ColumnCode.BLOB};
    private static final int[] META = {0, 600, 0, 2};
    private static final String[] TYPES = {"bigint", "varchar(150)", "int unsigned", "text"};
    private static final String[] WORDS = {"red", "Straße", "東京", "\"", "\\", "\n", " ", "😀", "harbour"};

    /** Around those at which a length takes another byte, or a text another way. */
    private static final int[] TEXT_LENGTHS = {0, 1, 7, 60, 90, 100, 127, 128, 500, 2040, 2048, 2049, 16_384, 40_000};

    /** One for all entries, since it remembers lengths. */
    private final ProtobufEncoder encoder = new ProtobufEncoder();

    private static final int[] COUNTS = {1, 1, 1, 2, 9, 10, 11, 99, 100, 120};

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whatIsWrittenIsReadByProtobuf(long seed) throws Exception {
        Random random = new Random(seed);
        MappedTable table = table(random.nextInt(100));
        ByteWriter out = new ByteWriter(16);
        for (int i = 0; i < 150; i++) {
            EventType type = List.of(EventType.INSERT, EventType.UPDATE, EventType.DELETE)
                    .get(random.nextInt(3));
            int count = COUNTS[random.nextInt(COUNTS.length)];
            List<@Nullable Object[]> before = new ArrayList<>();
            List<@Nullable Object[]> after = new ArrayList<>();
            for (int row = 0; row < count; row++) {
                before.add(row(random, count));
                after.add(random.nextInt(8) == 0 ? row(random, count) : changed(before.get(row), random));
            }
            RowsEntry entry = entry(table, type, before, after, random);

            out.clear();
            encoder.encode(entry, out);
            byte[] written = out.toByteArray();
            var encoded = encoder.encoded(entry);
            out.clear();
            encoder.encode(encoded, out);

            assertThat(encoded).isInstanceOf(EncodedEntry.class);
            assertThat(encoded.rowCount()).isEqualTo(count);
            assertThat(encoded.changeId()).isEqualTo(entry.changeId());
            assertThat(out.toByteArray())
                    .as("seed %d, entry %d, made ahead", seed, i)
                    .isEqualTo(written);
            assertIs(Entry.parseFrom(written), entry, type, before, after, "seed %d, entry %d".formatted(seed, i));
        }
    }

    @Test
    void bordersStateTheirNumbers() throws Exception {
        for (long number : new long[] {0, 9, 10, 12_345_678, Long.MAX_VALUE, -1}) {
            ByteWriter out = new ByteWriter(1);
            encoder.encode(TransactionBoundary.end(origin(new Random(number)), number), out);

            Entry read = Entry.parseFrom(out.toByteArray());
            assertThat(read.getEntryType()).isEqualTo(EntryType.TRANSACTIONEND);
            assertThat(read.getHeader().getPropsList()).isEmpty();
            assertThat(TransactionEnd.parseFrom(read.getStoreValue()).getTransactionId())
                    .isEqualTo(Long.toString(number));
        }
    }

    @Test
    void nothingIsAppendedOfWhatCannotBeRead() {
        byte[] event = {4, 15, 0, 1, 2}; // ends within its first value
        ByteWriter out = new ByteWriter(16);
        out.writeByte(7);
        RowsEntry entry = new RowsEntry(
                origin(new Random(1)),
                EventType.INSERT,
                table(0),
                7,
                EventBytes.of(event),
                0,
                event.length,
                null,
                0,
                RowRules.DEFAULT);

        assertThatThrownBy(() -> encoder.encode(entry, out)).isInstanceOf(MalformedEventException.class);

        assertThat(out.toByteArray()).containsExactly(7);
    }

    private static void assertIs(
            Entry read,
            RowsEntry entry,
            EventType type,
            List<@Nullable Object[]> before,
            List<@Nullable Object[]> after,
            String name)
            throws Exception {
        assertThat(read.getHeader().getLogfileOffset()).isEqualTo(entry.origin().offset());
        assertThat(read.getHeader().getExecuteTime()).isEqualTo(entry.origin().timeMillis());
        assertThat(read.getHeader().getEventLength()).isEqualTo(entry.origin().length());
        assertThat(read.getHeader().getEventType()).isEqualTo(type);
        assertThat(read.getHeader()
                        .getProps(read.getHeader().getPropsCount() - 1)
                        .getValue())
                .as(name)
                .isEqualTo(Integer.toString(before.size()));
        TransactionGtid gtid = entry.origin().gtid();
        assertThat(read.getHeader().getGtid()).isEqualTo(gtid == null ? "" : gtid.shown());
        RowChange change = RowChange.parseFrom(read.getStoreValue());
        assertThat(change.getRowDatasCount()).as(name).isEqualTo(before.size());
        for (int i = 0; i < before.size(); i++) {
            RowData row = change.getRowDatas(i);
            @Nullable Object[] old = type == EventType.INSERT ? null : before.get(i);
            assertColumns(row.getBeforeColumnsList(), old, null, name);
            if (type != EventType.DELETE) {
                assertColumns(row.getAfterColumnsList(), after.get(i), old, name);
            } else {
                assertThat(row.getAfterColumnsCount()).isZero();
            }
        }
    }

    /**
     * Compares an image.
     *
     * @param old the image before, if this is one after
     */
    private static void assertColumns(
            List<Column> columns,
            @Nullable Object @Nullable [] values,
            @Nullable Object @Nullable [] old,
            String name) {
        assertThat(columns).as(name).hasSize(values == null ? 0 : values.length);
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            Object value = Objects.requireNonNull(values)[i];
            assertThat(column.getIndex()).isEqualTo(i);
            assertThat(column.getMysqlType()).isEqualTo(TYPES[i]);
            assertThat(column.getIsNull()).as(name).isEqualTo(value == null);
            assertThat(column.getValue()).as(name).isEqualTo(value == null ? "" : value.toString());
            if (old != null) {
                assertThat(column.getUpdated()).as(name).isEqualTo(!Objects.equals(value, old[i]));
            }
        }
    }

    private static MappedTable table(int longName) {
        ColumnTypes types = ColumnTypes.defaults(ZoneOffset.UTC);
        TableMap map = new TableMap(7, "shop", "t", CODES, META, new boolean[] {false, false, true, false}, null);
        List<MappedColumn> columns = new ArrayList<>();
        for (int i = 0; i < CODES.length; i++) {
            String charset = CODES[i] == ColumnCode.VARCHAR || CODES[i] == ColumnCode.BLOB ? "utf8mb4" : null;
            ColumnDeclaration schema = new ColumnDeclaration("c" + "x".repeat(longName) + i, TYPES[i], i == 2, charset);
            columns.add(new MappedColumn(schema.name(), TYPES[i], i == 0, types.of(map, i, schema)));
        }
        return new MappedTable("shop", "t", columns);
    }

    private static @Nullable Object[] row(Random random, int rows) {
        int longest = rows > 20 ? 8 : TEXT_LENGTHS.length; // of many rows, few are long
        return new @Nullable Object[] {
            random.nextLong() >> random.nextInt(64),
            random.nextInt(5) == 0 ? null : text(random, TEXT_LENGTHS[random.nextInt(9)]),
            random.nextInt(5) == 0 ? null : random.nextInt() & 0xFFFF_FFFFL,
            random.nextInt(5) == 0 ? null : text(random, TEXT_LENGTHS[random.nextInt(longest)]),
        };
    }

    private static @Nullable Object[] changed(@Nullable Object[] row, Random random) {
        @Nullable Object[] changed = row.clone();
        int column = random.nextInt(row.length);
        changed[column] = row(random, 1)[column];
        return changed;
    }

    private static String text(Random random, int length) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append(WORDS[random.nextInt(WORDS.length)]);
        }
        return text.toString();
    }

    private static RowsEntry entry(
            MappedTable table,
            EventType type,
            List<@Nullable Object[]> before,
            List<@Nullable Object[]> after,
            Random random) {
        ByteWriter out = new ByteWriter(64);
        out.writeByte(CODES.length);
        out.writeByte(0xF);
        if (type == EventType.UPDATE) {
            out.writeByte(0xF);
        }
        for (int i = 0; i < before.size(); i++) {
            if (type != EventType.INSERT) {
                writeImage(out, before.get(i));
            }
            if (type != EventType.DELETE) {
                writeImage(out, after.get(i));
            }
        }
        byte[] event = out.toByteArray();
        return new RowsEntry(
                origin(random), type, table, 7, EventBytes.of(event), 0, event.length, null, 0, RowRules.DEFAULT);
    }

    private static void writeImage(ByteWriter out, @Nullable Object[] row) {
        int nulls = 0;
        for (int i = 0; i < row.length; i++) {
            nulls |= row[i] == null ? 1 << i : 0;
        }
        out.writeByte(nulls);
        for (int i = 0; i < row.length; i++) {
            if (row[i] instanceof Long number) {
                writeLittle(out, number, CODES[i] == ColumnCode.LONG ? 4 : 8);
            } else if (row[i] instanceof String text) {
                byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                writeLittle(out, utf8.length, 2);
                out.write(utf8);
            }
        }
    }

    private static void writeLittle(ByteWriter out, long number, int bytes) {
        for (int i = 0; i < bytes; i++) {
            out.writeByte((int) (number >> 8 * i));
        }
    }

    private static Origin origin(Random random) {
        LogFile file = new LogFile(SourceServer.at("localhost", 3306), "binlog." + "0".repeat(random.nextInt(40)));
        GtidSet executed = GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-" + (2 + random.nextInt(1000)));
        TransactionGtid gtid = random.nextBoolean() ? null : TransactionGtid.visible(executed, null, 0, 0);
        return new Origin(
                file,
                random.nextInt() & 0xFFFF_FFFFL,
                random.nextInt(3),
                1000L * random.nextInt(3),
                40,
                0,
                gtid,
                false);
    }
}
