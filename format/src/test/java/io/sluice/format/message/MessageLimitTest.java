package io.sluice.format.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.format.entry.CompressedRow;
import io.sluice.format.entry.EncodedEntry;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.RowRules;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.row.MappedColumn;
import io.sluice.format.row.MappedTable;
import io.sluice.format.split.RowCut;
import io.sluice.format.split.RowKey;
import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.Inflation;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import java.nio.charset.Charset;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A message that fits is written, whatever else is in its row, and whatever its encoder has written before. */
class MessageLimitTest {
    private static final int PRODUCER_BYTES = 1 << 20;
    private static final int LIMIT = 2 * PRODUCER_BYTES + (1 << 16);
    private static final int TEXT_BYTES = 900_000;
    private static final int SMALL_TEXT_BYTES = 2000;
    private static final Map<String, String> CHARSETS = Map.of(
            "utf8mb4", "UTF-8",
            "latin1", "windows-1252",
            "binary", "ISO-8859-1",
            "tis620", "TIS-620");
    private static final BatchOrigin BATCH = new BatchOrigin(1, 2);

    @ParameterizedTest
    @ValueSource(strings = {"flat", "protobuf", "debezium"})
    void aLargeValueAmongManyColumns(String format) {
        assertThat(encodedBytes(encoder(format), row(500, TEXT_BYTES))).isBetween(TEXT_BYTES, PRODUCER_BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"flat", "protobuf", "debezium"})
    void aLargeValueAfterARowOfManyColumns(String format) {
        MessageEncoder encoder = encoder(format);
        encodedBytes(encoder, row(500, 1));

        assertThat(encodedBytes(encoder, row(1, TEXT_BYTES))).isBetween(TEXT_BYTES, PRODUCER_BYTES);
    }

    /** As many as to fill the message, each of a size of which there is room for several times as much. */
    @ParameterizedTest
    @ValueSource(strings = {"flat", "protobuf", "debezium"})
    void manyTextsThatAreNotLarge(String format) {
        int texts = 450;

        assertThat(encodedBytes(encoder(format), texts(EventType.INSERT, texts, SMALL_TEXT_BYTES, 0)))
                .isBetween(texts * SMALL_TEXT_BYTES, PRODUCER_BYTES);
        assertThat(encodedBytes(encoder(format), texts(EventType.DELETE, texts, SMALL_TEXT_BYTES, 0)))
                .isBetween(texts * SMALL_TEXT_BYTES, PRODUCER_BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"flat", "protobuf", "debezium"})
    void manyTextsThatAreNotLargeBeforeAndAfter(String format) {
        int texts = 225;

        assertThat(encodedBytes(encoder(format), texts(EventType.UPDATE, texts, SMALL_TEXT_BYTES, 0)))
                .isBetween(2 * texts * SMALL_TEXT_BYTES, PRODUCER_BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"flat", "protobuf", "debezium"})
    void manyTextsThatAreNotLargeAfterALargeOne(String format) {
        int large = 450_000;
        for (EventType type : List.of(EventType.INSERT, EventType.UPDATE)) {
            int images = type == EventType.UPDATE ? 2 : 1;
            int texts = 225 / images;

            assertThat(encodedBytes(encoder(format), texts(type, texts, SMALL_TEXT_BYTES, large / images)))
                    .as("%s", type)
                    .isBetween(images * texts * SMALL_TEXT_BYTES + large, PRODUCER_BYTES);
        }
    }

    /** Each character of it is four bytes, so that more than the limit is unpacked. */
    @ParameterizedTest
    @ValueSource(strings = {"flat", "protobuf", "debezium"})
    void aCompressedValueWhoseTextFits(String format) {
        byte[] value = "x".repeat(TEXT_BYTES).getBytes(Charset.forName("UTF-32BE"));

        assertThat(encodedBytes(encoder(format), CompressedRow.of("utf32", value)))
                .isBetween(TEXT_BYTES, PRODUCER_BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"flat", "protobuf", "debezium"})
    void aCompressedValueIsNotUnpackedIfItsTextDoesNotFit(String format) {
        assertThatThrownBy(() -> encodedBytes(encoder(format), CompressedRow.damaged(LIMIT + 1)))
                .isInstanceOf(TooManyBytesException.class);
        assertThatThrownBy(() -> encodedBytes(encoder(format), CompressedRow.damaged(TEXT_BYTES)))
                .isInstanceOf(MalformedEventException.class);
    }

    @Test
    void aCompressedValueIsNotEncodedAheadIfItIsLarge() {
        RowsEntry large = CompressedRow.damaged(100_000_000);

        assertThat(Encodings.encoded(large)).isInstanceOf(RowsEntry.class);
        assertThat(Encodings.encoded(CompressedRow.of("utf8mb4", new byte[1_000_000])))
                .isInstanceOf(EncodedEntry.class);
    }

    /** Else a few KB of it would keep a whole chunk alive until they are acked. */
    @Test
    void anEntryThatIsNotEncodedAheadKeepsItsOwnBytesAlone() {
        Entry entry = Encodings.encoded(CompressedRow.damaged(100_000_000));

        assertThat(entry)
                .isInstanceOfSatisfying(
                        RowsEntry.class,
                        rows -> assertThat(rows.images().array()).hasSize(rows.sourceBytes()));
    }

    @ParameterizedTest
    @CsvSource({"utf8mb4, x, 1", "latin1, \u20ac, 1", "latin1, x, 1", "binary, \u00e4, 1", "tis620, \u0e01, 1"})
    void anEntryStatesAtLeastTheSizeOfItsMessageIfThatIsNotEncodedAhead(String charset, char character, int bytes) {
        String text = String.valueOf(character).repeat((17 << 20) / bytes);
        byte[] value = text.getBytes(Charset.forName(CHARSETS.get(charset)));

        Entry entry = Encodings.encoded(CompressedRow.of(charset, value));

        ByteWriter message = new ByteWriter(64);
        Encodings.writeProtobuf(entry, message);
        assertThat(entry).isInstanceOf(RowsEntry.class);
        assertThat(entry.sizeBytes()).isBetween(message.size(), 3 * value.length + (1 << 20));
        assertThat(((RowsEntry) entry).sourceBytes()).isLessThan(1 << 20);
    }

    @Test
    void theSizeOfAnEntryWithDamagedValuesIsThatOfItsBytes() {
        RowsEntry entry = CompressedRow.impossible();

        assertThat(entry.sizeBytes()).isLessThan(200);
    }

    @Test
    void aCompressedValueIsNotUnpackedForAKeyIfItIsTooLarge() {
        RowsEntry large = CompressedRow.damaged(Inflation.MAX_BYTES);
        RowCut byText = new RowCut(RowKey.of(List.of("text")), null, false, false);

        assertThatThrownBy(() -> Encodings.pieces(large, byText)).isInstanceOf(TooManyBytesException.class);
    }

    private static MessageEncoder encoder(String format) {
        return MessageFormats.find(format).orElseThrow().newEncoder();
    }

    private static int encodedBytes(MessageEncoder encoder, RowsEntry entry) {
        ByteWriter out = new ByteWriter(64);
        out.limitTo(LIMIT);
        assertThat(encoder.encode(entry, BATCH, out)).isTrue();
        return out.size();
    }

    /** An insert of a row of a text and, after it, so many numbers. */
    private static RowsEntry row(int numbers, int textBytes) {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column(3, textBytes));
        columns.addAll(Collections.nCopies(numbers, new Column(0, 1)));
        return entry(EventType.INSERT, columns);
    }

    /** A change of a row of texts; a large one is the first of them. */
    private static RowsEntry texts(EventType type, int count, int bytes, int largeBytes) {
        List<Column> columns = new ArrayList<>();
        if (largeBytes > 0) {
            columns.add(new Column(3, largeBytes));
        }
        columns.addAll(Collections.nCopies(count, new Column(2, bytes)));
        return entry(type, columns);
    }

    /**
     * A column.
     *
     * @param prefix how many bytes the length of a text takes; 0 for a number
     */
    private record Column(int prefix, int bytes) {
        String mysqlType() {
            return prefix == 0 ? "tinyint" : "mediumtext";
        }
    }

    private static RowsEntry entry(EventType type, List<Column> columns) {
        int count = columns.size();
        int[] types = new int[count];
        int[] metadata = new int[count];
        for (int i = 0; i < count; i++) {
            types[i] = columns.get(i).prefix() == 0 ? ColumnCode.TINY : ColumnCode.BLOB;
            metadata[i] = columns.get(i).prefix();
        }
        TableMap map = new TableMap(7, "shop", "wide", types, metadata, new boolean[count], null);
        ColumnTypes columnTypes = ColumnTypes.defaults(ZoneOffset.UTC);
        List<MappedColumn> mapped = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String mysqlType = columns.get(i).mysqlType();
            ColumnDeclaration declared = new ColumnDeclaration("c" + i, mysqlType, false, "utf8mb4");
            mapped.add(new MappedColumn("c" + i, mysqlType, false, columnTypes.of(map, i, declared)));
        }
        boolean isUpdate = type == EventType.UPDATE;
        ByteWriter body = new ByteWriter(64);
        writePackedLong(body, count);
        writeRepeated(body, (count + 7) / 8 * (isUpdate ? 2 : 1), 0xFF);
        writeImage(body, columns, 'x');
        if (isUpdate) {
            writeImage(body, columns, 'y');
        }
        Origin origin =
                new Origin(new LogFile(SourceServer.at("db", 3306), "binlog.000001"), 4, 9, 1_000, 40, 2, null, false);
        return new RowsEntry(
                origin,
                type,
                new MappedTable("shop", "wide", mapped),
                7,
                EventBytes.of(body.toByteArray()),
                0,
                body.size(),
                null,
                0,
                RowRules.DEFAULT);
    }

    private static void writeImage(ByteWriter body, List<Column> columns, int octet) {
        writeRepeated(body, (columns.size() + 7) / 8, 0);
        for (Column column : columns) {
            for (int shift = 0; shift < 8 * column.prefix(); shift += 8) {
                body.writeByte(column.bytes() >> shift);
            }
            writeRepeated(body, column.bytes(), column.prefix() == 0 ? 1 : octet);
        }
    }

    private static void writePackedLong(ByteWriter out, int value) {
        if (value < 251) {
            out.writeByte(value);
        } else {
            out.writeByte(252);
            out.writeByte(value);
            out.writeByte(value >> 8);
        }
    }

    private static void writeRepeated(ByteWriter out, int times, int octet) {
        for (int i = 0; i < times; i++) {
            out.writeByte(octet);
        }
    }
}
