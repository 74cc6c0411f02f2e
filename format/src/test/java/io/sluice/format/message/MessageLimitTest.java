package io.sluice.format.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.RowRules;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.row.MappedColumn;
import io.sluice.format.row.MappedTable;
import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message that fits is written, whatever else is in its row, and whatever its encoder has written before. */
class MessageLimitTest {
    private static final int PRODUCER_BYTES = 1 << 20;
    private static final int LIMIT = 2 * PRODUCER_BYTES + (1 << 16);
    private static final int TEXT_BYTES = 900_000;
    private static final BatchStamp BATCH = new BatchStamp(1, 2);

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
        int count = 1 + numbers;
        int[] types = new int[count];
        int[] metadata = new int[count];
        Arrays.fill(types, ColumnCode.TINY);
        types[0] = ColumnCode.BLOB;
        metadata[0] = 3;
        TableMap map = new TableMap(7, "shop", "wide", types, metadata, new boolean[count], null);
        ColumnTypes columnTypes = ColumnTypes.defaults(ZoneOffset.UTC);
        List<MappedColumn> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String type = i == 0 ? "mediumtext" : "tinyint";
            ColumnDeclaration declared = new ColumnDeclaration("c" + i, type, false, "utf8mb4");
            columns.add(new MappedColumn("c" + i, type, false, columnTypes.of(map, i, declared)));
        }
        ByteWriter body = new ByteWriter(64);
        writePackedLong(body, count);
        writeRepeated(body, (count + 7) / 8, 0xFF);
        writeRepeated(body, (count + 7) / 8, 0);
        for (int shift = 0; shift < 24; shift += 8) {
            body.writeByte(textBytes >> shift);
        }
        writeRepeated(body, textBytes, 'x');
        writeRepeated(body, numbers, 1);
        Origin origin =
                new Origin(new LogFile(SourceServer.at("db", 3306), "binlog.000001"), 4, 9, 1_000, 40, 2, null, false);
        return new RowsEntry(
                origin,
                EventType.INSERT,
                new MappedTable("shop", "wide", columns),
                7,
                EventBytes.of(body.toByteArray()),
                0,
                body.size(),
                null,
                0,
                RowRules.DEFAULT);
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
