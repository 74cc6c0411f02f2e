package io.sluice.format.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.row.EventRows;
import io.sluice.format.row.MappedColumn;
import io.sluice.format.row.MappedTable;
import io.sluice.format.row.RowChoice;
import io.sluice.format.row.RowPart;
import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowsEntryTest {
    private static final TableMap MAP =
            new TableMap(7, "shop", "t", new int[] {ColumnCode.LONG}, new int[] {0}, new boolean[] {false}, null);
    private static final ColumnDeclaration COLUMN = new ColumnDeclaration("id", "int", false, null);
    private static final MappedTable TABLE = new MappedTable(
            "shop",
            "t",
            List.of(new MappedColumn(
                    "id", "int", true, ColumnTypes.defaults(ZoneOffset.UTC).of(MAP, 0, COLUMN))));

    /** One column, present, then two rows: not NULL, 1; not NULL, 2. Five other bytes precede it. */
    private static final byte[] EVENTS =
            HexFormat.of().parseHex("ffffffffff" + "01" + "ff" + "0001000000" + "0002000000" + "ff");

    @Test
    void readsTheSameFromBytesOfItsOwn() {
        RowsEntry entry = insert();
        String before = flat(entry);

        RowsEntry detached = entry.detached();

        assertThat(before).contains("\"data\":[{\"id\":\"1\"},{\"id\":\"2\"}]");
        assertThat(flat(detached)).isEqualTo(before);
        assertThat(detached.rowCount()).isEqualTo(2);
        assertThat(detached.sizeBytes()).isEqualTo(entry.sizeBytes());
    }

    /** It may be one of several entries of an event. */
    @Test
    void itsRowsAreNumberedInTheirEvent() {
        RowsEntry second = insert(5);
        RowChoice last = new RowChoice(new EventRows(new int[] {7, 12}, new BitSet()), new int[] {1}, RowPart.WHOLE);

        assertThat(second.changeId().row()).isEqualTo(5);
        assertThat(second.detached().changeId()).isEqualTo(second.changeId());
        assertThat(second.choose(EventType.INSERT, last).changeId().row()).isEqualTo(6);
        assertThat(second.choose(EventType.INSERT, last).changeId().rows()).isEqualTo(1);
    }

    @Test
    void countsWhatItKeepsAlive() {
        RowsEntry entry = insert();
        int asImages = entry.sizeBytes();

        Entry encoded = Encodings.encoded(entry);

        assertThat(asImages).isGreaterThan(EVENTS.length - 6);
        assertThat(encoded.sizeBytes()).isGreaterThan(asImages);
    }

    private static RowsEntry insert() {
        return insert(0);
    }

    private static RowsEntry insert(int firstRow) {
        EventBytes bytes = new EventBytes();
        bytes.settle(EVENTS.clone());
        Origin origin = new Origin(
                new LogFile(SourceServer.at("localhost", 3306), "binlog.000001"), 4, 1, 1_000, 40, 0, null, false);
        return new RowsEntry(
                origin, EventType.INSERT, TABLE, 7, bytes, 5, EVENTS.length - 1, null, firstRow, RowRules.DEFAULT);
    }

    private static String flat(RowsEntry entry) {
        ByteWriter out = new ByteWriter(64);
        assertThat(Encodings.writeFlat(entry, out, 1, 2)).isTrue();
        return new String(out.array(), 0, out.size(), StandardCharsets.UTF_8);
    }
}
