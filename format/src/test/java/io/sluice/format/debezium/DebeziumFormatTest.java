package io.sluice.format.debezium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.RowRules;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.entry.StatementEntry;
import io.sluice.format.entry.TransactionBoundary;
import io.sluice.format.entry.TransactionGtid;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.message.BatchOrigin;
import io.sluice.format.message.MessageEncoder;
import io.sluice.format.message.MessageFormat;
import io.sluice.format.message.MessageFormats;
import io.sluice.format.row.MappedColumn;
import io.sluice.format.row.MappedTable;
import io.sluice.format.row.RowLayout;
import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MySqlGtid;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import io.sluice.testkit.time.Waiting;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages by the bytes of their rows; real servers' rows are in the tests of the stream. */
class DebeziumFormatTest {
    private static final BatchOrigin BATCH = new BatchOrigin(7, 1_767_225_600_123L);
    private static final String SOURCE = "{\"connector\":\"mysql\",\"name\":\"db:3306\",\"ts_ms\":1767225600000,"
            + "\"snapshot\":\"false\",\"db\":\"shop\",\"table\":\"user\",\"server_id\":9,\"gtid\":null,"
            + "\"file\":\"binlog.000001\",\"pos\":4,\"row\":0}";
    private static final MappedTable USER =
            table(column("id", "int", ColumnCode.LONG, 0), column("name", "varchar(20)", ColumnCode.VARCHAR, 20));

    private final MessageEncoder encoder = new DebeziumFormat().newEncoder();

    private record Column(String name, String mysqlType, int code, int metadata) {}

    private static Column column(String name, String mysqlType, int code, int metadata) {
        return new Column(name, mysqlType, code, metadata);
    }

    private static MappedTable table(Column... columns) {
        TableMap map = new TableMap(
                7,
                "shop",
                "user",
                List.of(columns).stream().mapToInt(Column::code).toArray(),
                List.of(columns).stream().mapToInt(Column::metadata).toArray(),
                new boolean[columns.length],
                null);
        ColumnTypes types = ColumnTypes.defaults(ZoneOffset.UTC);
        MappedColumn[] mapped = new MappedColumn[columns.length];
        for (int i = 0; i < columns.length; i++) {
            Column column = columns[i];
            ColumnDeclaration declared = new ColumnDeclaration(column.name, column.mysqlType, false, null);
            mapped[i] = new MappedColumn(column.name, column.mysqlType, i == 0, types.of(map, i, declared));
        }
        return new MappedTable("shop", "user", List.of(mapped));
    }

    @Test
    void isFoundByItsName() {
        assertThat(MessageFormats.find("debezium")).contains(new DebeziumFormat());
        assertThat(new DebeziumFormat().unit()).isEqualTo(MessageFormat.Unit.ROW);
    }

    @Test
    void anInsertHasARowAfter() {
        assertThat(message(entry(USER, EventType.INSERT, "02 03 00 01000000 0622c3bc0a5c2f", null)))
                .isEqualTo("{\"before\":null,\"after\":{\"id\":1,\"name\":\"\\\"ü\\n\\\\/\"},\"source\":" + SOURCE
                        + ",\"op\":\"c\",\"ts_ms\":1767225600123,\"transaction\":null}");
    }

    @Test
    void anUpdateHasBoth() {
        assertThat(message(entry(USER, EventType.UPDATE, "02 03 03 00 01000000 0161 02 ffffffff", null)))
                .isEqualTo("{\"before\":{\"id\":1,\"name\":\"a\"},\"after\":{\"id\":-1,\"name\":null},\"source\":"
                        + SOURCE + ",\"op\":\"u\",\"ts_ms\":1767225600123,\"transaction\":null}");
    }

    @Test
    void aDeleteHasARowBefore() {
        assertThat(message(entry(USER, EventType.DELETE, "02 03 00 01000000 0161", null)))
                .isEqualTo("{\"before\":{\"id\":1,\"name\":\"a\"},\"after\":null,\"source\":" + SOURCE
                        + ",\"op\":\"d\",\"ts_ms\":1767225600123,\"transaction\":null}");
    }

    @Test
    void columnsThatAnImageLacksAreLeftOut() {
        assertThat(message(entry(USER, EventType.UPDATE, "02 01 02 00 01000000 00 0162", null)))
                .startsWith("{\"before\":{\"id\":1},\"after\":{\"name\":\"b\"},");
    }

    @Test
    void theTransactionIsItsGtid() {
        String gtid = "3e11fa47-71ca-11e1-9e33-c80aa9429562:23";
        TransactionGtid transaction = TransactionGtid.silent(
                GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-23"),
                new MySqlGtid(UUID.fromString(gtid.substring(0, gtid.indexOf(":"))), "", 23));

        assertThat(message(entry(USER, EventType.INSERT, "02 03 02 01000000", transaction)))
                .contains("\"gtid\":\"" + gtid + "\",")
                .endsWith("\"transaction\":{\"id\":\"" + gtid + "\"}}");
    }

    /** A value of its own table, after the head of an insert: one column, present, not NULL. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tinyint             | 1   | 0     | ff               | -1",
                "bigint              | 8   | 0     | 0000000000000080 | -9223372036854775808",
                "double              | 5   | 8     | 000000000000f03f | 1.0",
                "bit                 | 16  | 1     | 01               | true",
                "bit(1)              | 16  | 1     | 00               | false",
                "bit(9)              | 16  | 0101  | 0180             | 384",
                "bit(10)             | 16  | 0102  | 0001             | 1",
                "geometry            | 255 | 4     | 05000000ffffffff01 | {\"wkb\":\"AQ==\",\"srid\":4294967295}",
                "decimal(4,2)        | 246 | 0204  | 810a             | \"1.10\"",
                "year                | 13  | 0     | 7c               | \"2024\"",
                "date                | 10  | 0     | 22d40f           | \"2026-01-02\"",
                "varbinary(4)        | 15  | 4     | 0300ff41         | \"AP9B\"",
                "binary(4)           | 254 | 4     | 02ff41           | \"/0EAAA==\"",
                "BINARY              | 254 | 1     | 00               | \"AA==\"",
                "enum('a','it''s')   | 247 | 1     | 02               | \"it's\"",
                "enum('','back\\slash') | 247 | 1 | 02 | \"back\\\\slash\"",
                "enum('a  ',' b ')   | 247 | 1     | 02               | \" b\"",
                "enum('a')           | 247 | 1     | 00               | \"\"",
                "enum                | 247 | 1     | 02               | \"2\"",
                "set('a','b','c') | 248 | 1     | 05               | \"a,c\"",
                "set('a','b')        | 248 | 1     | 00               | \"\"",
            })
    void valuesAreOfTheirJsonTypes(String mysqlType, int code, String metadata, String hex, String json) {
        MappedTable table = table(column("c", mysqlType, code, Integer.parseInt(metadata, 16)));

        String message = message(entry(table, EventType.INSERT, "01 01 00 " + hex, null));

        assertThat(message).startsWith("{\"before\":null,\"after\":{\"c\":" + json + "},");
    }

    @Test
    void aSetHas64Members() {
        String members = IntStream.range(0, 64).mapToObj(i -> "'m" + i + "'").collect(Collectors.joining(","));
        MappedTable table = table(column("c", "set(" + members + ")", ColumnCode.SET, 8));

        assertThat(message(entry(table, EventType.INSERT, "01 01 00 0200000000010080", null)))
                .contains("{\"c\":\"m1,m40,m63\"}");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 255})
    void aByteStringIsInBase64WhateverItsLengthAndItsBytes(int length) {
        MappedTable table = table(column("c", "varbinary(255)", ColumnCode.VARCHAR, 255));
        for (int first = 0; first < 256; first++) {
            byte[] bytes = new byte[length];
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) (first + i);
            }
            String row = "%02x".formatted(length) + HexFormat.of().formatHex(bytes);

            assertThat(message(entry(table, EventType.INSERT, "01 01 00 " + row, null)))
                    .contains("{\"c\":\"" + Base64.getEncoder().encodeToString(bytes) + "\"}");
        }
    }

    /** One of many megabytes would take as many times its size of the heap as it is copied. */
    @Test
    void aByteStringIsWrittenWithoutAnArrayOfItsOwn() {
        int length = 400_000;
        MappedTable table = table(column("c", "longblob", ColumnCode.BLOB, 4));
        byte[] row = new byte[3 + 4 + length];
        row[0] = 1;
        row[1] = 1;
        ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN).putInt(3, length);
        Arrays.fill(row, 7, row.length, (byte) 'x');
        RowsEntry entry = entry(table, EventType.INSERT, HexFormat.of().formatHex(row), null);
        ByteWriter out = new ByteWriter(1_000_000);
        encoder.encode(entry, BATCH, out); // which grows its buffers
        out.clear();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        encoder.encode(entry, BATCH, out);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(length / 2);
    }

    /** An encoder lives as long as its server; tables come and go. */
    @Test
    void aTableIsForgottenWithItsLastEntry() {
        WeakReference<RowLayout> layout = layoutOfAnEncodedRow();

        Waiting.await().until(() -> {
            System.gc();
            return layout.refersTo(null);
        });
    }

    private WeakReference<RowLayout> layoutOfAnEncodedRow() {
        MappedTable table = table(column("id", "int", ColumnCode.LONG, 0));
        assertThat(message(entry(table, EventType.INSERT, "01 01 00 01000000", null)))
                .contains("\"after\":{\"id\":1}");
        return new WeakReference<>(table.layout());
    }

    @Test
    void onlyRowsHaveAMessage() {
        StatementEntry statement =
                new StatementEntry(origin(null), EventType.ALTER, "shop", "user", true, "alter table user", "shop");

        assertThat(encoder.encode(statement, BATCH, new ByteWriter(16))).isFalse();
        assertThat(encoder.encode(TransactionBoundary.begin(origin(null), 5), BATCH, new ByteWriter(16)))
                .isFalse();
    }

    @Test
    void whatCannotBeWrittenLeavesNothing() {
        RowsEntry cut = entry(USER, EventType.INSERT, "02 03 00 01000000 0622", null);
        RowsEntry two = entry(USER, EventType.INSERT, "02 03 02 01000000 02 02000000", null);
        Entry encoded = Encodings.encoded(entry(USER, EventType.INSERT, "02 03 02 01000000", null));
        ByteWriter out = new ByteWriter(16);
        out.writeByte(7);

        assertThatThrownBy(() -> encoder.encode(cut, BATCH, out))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("shop.user at binlog.000001:4");
        assertThatThrownBy(() -> encoder.encode(two, BATCH, out)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> encoder.encode(encoded, BATCH, out)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() ->
                        encoder.encode(new UnreadRowsEntry(origin(null), EventType.INSERT, USER, 200, 100), BATCH, out))
                .isInstanceOf(TooManyBytesException.class);
        assertThat(out.toByteArray()).containsExactly(7);
    }

    private static Origin origin(@Nullable TransactionGtid gtid) {
        return new Origin(
                new LogFile(SourceServer.at("db", 3306), "binlog.000001"),
                4,
                9,
                1_767_225_600_000L,
                40,
                2,
                gtid,
                false);
    }

    private static RowsEntry entry(MappedTable table, EventType type, String hex, @Nullable TransactionGtid gtid) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        return new RowsEntry(
                origin(gtid), type, table, 7, EventBytes.of(bytes), 0, bytes.length, null, 0, RowRules.DEFAULT);
    }

    private String message(RowsEntry entry) {
        ByteWriter out = new ByteWriter(16);
        assertThat(encoder.encode(entry, BATCH, out)).isTrue();
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
}
