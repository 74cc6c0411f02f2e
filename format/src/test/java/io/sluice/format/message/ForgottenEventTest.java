package io.sluice.format.message;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.sluice.format.split.RowPieces;
import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import io.sluice.testkit.time.Waiting;
import java.lang.ref.WeakReference;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encoders live as long as their server; an event, which may be large, is forgotten when it is written. */
class ForgottenEventTest {
    private static final TableMap MAP =
            new TableMap(7, "shop", "t", new int[] {ColumnCode.LONG}, new int[] {0}, new boolean[] {false}, null);

    @ParameterizedTest
    @ValueSource(strings = {"flat", "protobuf", "debezium"})
    void ofARowOfIt(String format) {
        MessageEncoder encoder = MessageFormats.find(format).orElseThrow().newEncoder();

        WeakReference<Entry> event = encodeOneOfTwoRows(encoder);

        Waiting.await().until(() -> {
            System.gc();
            return event.refersTo(null);
        });
        assertThat(encoder).isNotNull();
    }

    private static WeakReference<Entry> encodeOneOfTwoRows(MessageEncoder encoder) {
        byte[] bytes = HexFormat.of().parseHex("01ff" + "0001000000" + "0002000000");
        MappedTable table = new MappedTable(
                "shop",
                "t",
                List.of(new MappedColumn(
                        "id",
                        "int",
                        true,
                        ColumnTypes.defaults(ZoneOffset.UTC)
                                .of(MAP, 0, new ColumnDeclaration("id", "int", false, null)))));
        Origin origin =
                new Origin(new LogFile(SourceServer.at("db", 3306), "binlog.000001"), 4, 9, 1_000, 40, 2, null, false);
        RowsEntry event = new RowsEntry(
                origin, EventType.INSERT, table, 7, EventBytes.of(bytes), 0, bytes.length, null, 0, RowRules.DEFAULT);
        RowPieces rows = Encodings.pieces(event, new RowCut(RowKey.PRIMARY, null, false, false));
        assertThat(encoder.encode(rows.entryOf(1), new BatchOrigin(1, 2), new ByteWriter(64)))
                .isTrue();
        return new WeakReference<>(event);
    }
}
