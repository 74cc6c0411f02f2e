package io.sluice.format.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.RowRules;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.split.ImageRowSplitter;
import io.sluice.format.split.RowCut;
import io.sluice.format.split.RowKey;
import io.sluice.format.split.RowPieces;
import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnType;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowImagesTest {
    private static final int UTF8MB4 = 45;

    /**
     * The unused bits after the last column's are set in both bitmaps. From MySQL 8.0.31, with {@code binlog_row_image=NOBLOB}:
     *
     * <pre>
     *   create table pair (v varchar(9), a int, z varchar(8), seq int, t text, b blob, primary key (a, z));
     *   insert into pair (a, z, seq, t) values (0, 'z9', 120, 'some');
     *   insert into pair (a, z, seq) values (0, 'z9', 0) on duplicate key update seq = 122, v = 'dup';
     * </pre>
     */
    @Test
    void unusedBitsAreNoColumns() {
        MappedTable table = table(
                ColumnCode.VARCHAR,
                ColumnCode.LONG,
                ColumnCode.VARCHAR,
                ColumnCode.LONG,
                ColumnCode.BLOB,
                ColumnCode.BLOB);

        String message =
                flat(table, "06 cf ff 01 00000000 027a39 78000000 20 03647570 00000000 027a39 7a000000 0400736f6d65");

        assertThat(message)
                .contains(
                        "\"data\":[{\"c0\":\"dup\",\"c1\":\"0\",\"c2\":\"z9\",\"c3\":\"122\",\"c4\":\"some\",\"c5\":null}]")
                .contains("\"old\":[{\"c0\":null,\"c3\":\"120\"}]");
    }

    /** Of nine columns, five are in the image before, so one byte says which are NULL, and not two. */
    @Test
    void unusedBitsHaveNoNullBits() {
        int[] types = new int[9];
        Arrays.fill(types, ColumnCode.TINY);

        String message = flat(table(types), "09 1ffe ffff 02 01030405 0000 000102030405060708");

        assertThat(message).contains("\"old\":[{\"c0\":\"1\",\"c1\":null,\"c2\":\"3\",\"c3\":\"4\",\"c4\":\"5\"");
    }

    /**
     * An event without any byte for its row. From MySQL 8.0.31, with {@code binlog_row_image=MINIMAL}:
     *
     * <pre>
     *   create table two (c0 int default 3, c1 int);
     *   insert into two values ();
     * </pre>
     */
    @Test
    void anInsertThatNamesNoColumnIsARowWithoutColumns() {
        MappedTable table = table(ColumnCode.LONG, ColumnCode.LONG);

        String message = flat(table, EventType.INSERT, "02 fc");

        assertThat(message).contains("\"data\":[{}]", "\"mysqlType\":{}", "\"type\":\"INSERT\"");
        assertThat(entry(table, EventType.INSERT, "02 fc").rowCount()).isEqualTo(1);
        RowPieces pieces = new ImageRowSplitter()
                .split(entry(table, EventType.INSERT, "02 fc"), new RowCut(RowKey.PRIMARY, null, false, true));
        assertThat(pieces.count()).isEqualTo(1);
    }

    /** What a large event has made large is given back after it. */
    @Test
    void anEventThatCannotBeReadIsNamedAfterALargeOneToo() {
        MappedTable table = table(ColumnCode.TINY);
        ImageRowSplitter splitter = new ImageRowSplitter();
        RowCut cut = new RowCut(RowKey.PRIMARY, null, false, true);
        int rows = 140_000;
        assertThat(splitter.split(entry(table, EventType.INSERT, "01 ff" + "0007".repeat(rows)), cut)
                        .count())
                .isEqualTo(rows);
        RowsEntry damaged = entry(table, EventType.INSERT, "03 07 00");

        assertThatThrownBy(() -> splitter.split(damaged, cut))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("rnd.pair at binlog.000001:4");
    }

    /** Neither the number of its rows nor which ones they are can be determined. No server writes it. */
    @Test
    void anUpdateWithoutColumnsBeforeIsDamaged() {
        MappedTable table = table(ColumnCode.LONG, ColumnCode.LONG);

        assertThatThrownBy(() -> flat(table, "02 fc ff"))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("no columns in its images before");
    }

    /** Neither its value nor that it is NULL. */
    @Test
    void aColumnThatIsNotDeliveredIsAbsent() {
        MappedColumn id = table(ColumnCode.TINY).layout().columns().get(0);
        MappedColumn hidden = new MappedColumn("hidden", "blob", false, id.type(), false);
        MappedTable table = new MappedTable("rnd", "pair", List.of(id, hidden));

        for (String row : List.of("02 07", "00 0709")) {
            assertThat(flat(table, EventType.INSERT, "02 ff" + row))
                    .contains("\"data\":[{\"c0\":\"7\"}]", "\"mysqlType\":{\"c0\":\"blob\"}");
        }
    }

    /** The escapes of a text need more room than the text itself. */
    @Test
    void aTextThatCompletesAnImageHasRoom() {
        TableMap map = new TableMap(
                7, "rnd", "pair", new int[] {ColumnCode.VARCHAR}, new int[] {250}, null, new int[] {UTF8MB4});
        ColumnDeclaration column = new ColumnDeclaration("c", "varchar(250)", false, null);
        ColumnType type = ColumnTypes.defaults(ZoneOffset.UTC).of(map, 0, column);
        MappedTable table = new MappedTable(
                "rnd",
                "pair",
                List.of(
                        table(ColumnCode.TINY).layout().columns().get(0),
                        new MappedColumn("c1", "varchar(250)", false, type),
                        new MappedColumn("c2", "varchar(250)", false, type)));
        String text = "fa" + "01".repeat(250);

        String message =
                flat(table, EventType.UPDATE, "03 ff f9" + "00 01" + text + text + "00 02", new RowRules(true, true));

        String escaped = "\\u0001".repeat(250);
        assertThat(message).contains("\"data\":[{\"c0\":\"2\",\"c1\":\"" + escaped + "\",\"c2\":\"" + escaped + "\"}]");
    }

    @Test
    void eachEntryHasTheRowsThatWereChosenForIt() {
        byte[] event = HexFormat.of().parseHex("01ff" + "0007" + "0008" + "0009");
        RowLayout layout = table(ColumnCode.TINY).layout();
        EventRows rows = new EventRows(new int[] {2, 4, 6}, new BitSet());
        RowImages images = new RowImages();
        for (int row : new int[] {1, 0, 2}) {
            RowChoice one = new RowChoice(rows, new int[] {row}, RowPart.WHOLE);
            images.open(layout, event, 0, event.length, false, null, false, one);
            assertThat(images.hasNext()).isTrue();
            assertThat(event[images.next().offsets()[0]]).isEqualTo((byte) (7 + row));
            assertThat(images.hasNext()).isFalse();
            images.close();
        }
    }

    @Test
    void theLastWholeRowIsThatBeforeTheOnesThatAreSplit() {
        int[] starts = {2, 4, 6};
        BitSet split = new BitSet();

        assertThat(new EventRows(starts, split).lastWhole()).isEqualTo(2);
        split.set(2);
        assertThat(new EventRows(starts, split).lastWhole()).isEqualTo(1);
        split.set(0, 2);
        assertThat(new EventRows(starts, split).lastWhole()).as("there is none").isZero();
    }

    private static MappedTable table(int... types) {
        int[] metadata = new int[types.length];
        for (int i = 0; i < types.length; i++) {
            metadata[i] = types[i] == ColumnCode.VARCHAR ? 20 : types[i] == ColumnCode.BLOB ? 2 : 0;
        }
        TableMap map = new TableMap(7, "rnd", "pair", types, metadata, new boolean[types.length], null);
        List<MappedColumn> columns = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            ColumnDeclaration column = new ColumnDeclaration("c" + i, "blob", false, null);
            columns.add(new MappedColumn(
                    column.name(),
                    column.mysqlType(),
                    false,
                    ColumnTypes.defaults(ZoneOffset.UTC).of(map, i, column)));
        }
        return new MappedTable("rnd", "pair", columns);
    }

    private static String flat(MappedTable table, String hex) {
        return flat(table, EventType.UPDATE, hex);
    }

    private static RowsEntry entry(MappedTable table, EventType type, String hex) {
        return entry(table, type, hex, RowRules.DEFAULT);
    }

    private static RowsEntry entry(MappedTable table, EventType type, String hex, RowRules rules) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        Origin origin = new Origin(
                new LogFile(SourceServer.at("localhost", 3306), "binlog.000001"), 4, 1, 1_000, 40, 2, null, false);
        return new RowsEntry(origin, type, table, 7, EventBytes.of(bytes), 0, bytes.length, null, 0, rules);
    }

    private static String flat(MappedTable table, EventType type, String hex) {
        return flat(table, type, hex, RowRules.DEFAULT);
    }

    private static String flat(MappedTable table, EventType type, String hex, RowRules rules) {
        ByteWriter out = new ByteWriter(64);
        Encodings.writeFlat(entry(table, type, hex, rules), out, 1, 2);
        return new String(out.array(), 0, out.size(), StandardCharsets.UTF_8);
    }
}
