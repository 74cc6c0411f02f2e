package io.sluice.format.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.format.entry.ChangeId;
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
import io.sluice.format.row.RowPart;
import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A table {@code mytest.user (id int primary key, name varchar(20))}, by its bytes. */
class RowPiecesOfBytesTest {
    private static final TableMap MAP = new TableMap(
            7,
            "mytest",
            "user",
            new int[] {ColumnCode.LONG, ColumnCode.VARCHAR},
            new int[] {0, 20},
            new boolean[] {false, true},
            null);

    private static final ColumnTypes TYPES = ColumnTypes.defaults(ZoneOffset.UTC);
    private static final MappedTable TABLE = table(true);

    private static final String ONE_TOM = "00 01000000 03746f6d";
    private static final String TWO_ANN = "00 02000000 03616e6e";
    private static final String THREE_NULL = "02 03000000";

    private static MappedTable table(boolean hasName) {
        return new MappedTable(
                "mytest",
                "user",
                List.of(
                        new MappedColumn(
                                "id", "int", true, TYPES.of(MAP, 0, new ColumnDeclaration("id", "int", false, null))),
                        new MappedColumn(
                                "name",
                                "varchar(20)",
                                false,
                                TYPES.of(MAP, 1, new ColumnDeclaration("name", "varchar(20)", true, null)),
                                hasName)));
    }

    /** Those that a canal server was seen to give. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id        | 0 | true  | -1059087345",
                "id        | 0 | false | 49",
                "id        | 1 | true  | -1059087348",
                "id        | 1 | false | 50",
                "id        | 2 | true  | -1059087347",
                "id        | 2 | false | 51",
                "id^name   | 0 | true  | -1059168931",
                "id^name   | 0 | false | 115043",
                "id^name   | 1 | true  | -1059133971",
                "id^name   | 1 | false | 96723",
                "name^id   | 2 | true  | -1059087347",
                "missing   | 0 | true  | -1059087298",
                "missing   | 0 | false | 0",
                "$pk$      | 0 | true  | -1059087345",
            })
    void hashesRowsAsCanal(String columns, int row, boolean hashSchema, int hash) {
        RowKey key = columns.equals("$pk$") ? RowKey.PRIMARY : RowKey.of(List.of(columns.split("\\^")));
        RowPieces pieces = Encodings.pieces(insert(ONE_TOM, TWO_ANN, THREE_NULL), new RowCut(key, null, false, false));
        int seed = hashSchema ? "mytest".hashCode() : 0;

        assertThat(seed ^ pieces.hash(row)).isEqualTo(hash);
    }

    @Test
    void namesInAnotherCaseAreFoundIfCaseIsIgnored() {
        RowKey upper = RowKey.of(List.of("ID"));

        assertThat(Encodings.pieces(insert(ONE_TOM), new RowCut(upper, null, true, false))
                        .hash(0))
                .isEqualTo(49);
        assertThat(Encodings.pieces(insert(ONE_TOM), new RowCut(upper, null, false, false))
                        .hash(0))
                .isZero();
        assertThat(Encodings.pieces(insert(ONE_TOM), new RowCut(upper, null, true, false))
                        .hash(0))
                .isEqualTo(49);
    }

    @Test
    void keysAreTextsOrListsOfThem() {
        Entry rows = insert("00 01000000 03 22c3bc", THREE_NULL);

        assertThat(keys(rows, RowKey.PRIMARY)).containsExactly("1", "3");
        assertThat(keys(rows, RowKey.of(List.of("name")))).containsExactly("\"ü", "null");
        assertThat(keys(rows, RowKey.of(List.of("name", "id")))).containsExactly("[\"\\\"ü\",\"1\"]", "[null,\"3\"]");
        assertThat(keys(rows, RowKey.of(List.of("id", "missing")))).containsExactly("[\"1\",null]", "[\"3\",null]");
        assertThat(keys(rows, RowKey.of(List.of("missing")))).containsExactly("null", "null");
        assertThat(keys(rows, RowKey.of(List.of("missing", "too")))).containsExactly("null", "null");
    }

    /** The key is made of what is delivered. */
    @Test
    void aColumnOfThePrimaryKeyThatIsFilteredOutIsNotInTheKey() {
        MappedTable table = new MappedTable(
                "mytest",
                "user",
                List.of(
                        new MappedColumn(
                                "id", "int", true, TYPES.of(MAP, 0, new ColumnDeclaration("id", "int", false, null))),
                        new MappedColumn(
                                "name",
                                "varchar(20)",
                                true,
                                TYPES.of(MAP, 1, new ColumnDeclaration("name", "varchar(20)", true, null)),
                                false)));
        RowsEntry rows = entry(table, EventType.INSERT, "02 ff " + ONE_TOM, 0);

        assertThat(keys(rows, RowKey.PRIMARY)).containsExactly("1");
    }

    private static List<String> keys(Entry rows, RowKey key) {
        RowPieces pieces = Encodings.pieces(rows, new RowCut(null, key, false, false));
        return java.util.stream.IntStream.range(0, pieces.count())
                .mapToObj(pieces::messageKey)
                .map(bytes -> bytes == null ? "null" : new String(bytes, StandardCharsets.UTF_8))
                .toList();
    }

    /** It is as if the column were not there. */
    @Test
    void aColumnThatIsFilteredOutCountsAsEmpty() {
        RowsEntry rows = entry(table(false), EventType.INSERT, "02 ff " + ONE_TOM, 0);

        assertThat(Encodings.pieces(rows, new RowCut(RowKey.of(List.of("id", "name")), null, false, false))
                        .hash(0))
                .isEqualTo(49);
    }

    @Test
    void anUpdateGoesWhereItsNewKeySays() {
        RowPieces pieces = Encodings.pieces(update(ONE_TOM, TWO_ANN), new RowCut(RowKey.PRIMARY, null, false, false));

        assertThat(pieces.count()).isEqualTo(1);
        assertThat(pieces.hash(0)).isEqualTo("2".hashCode());
    }

    @Test
    void anUpdateThatChangesTheKeyIsSplitIfThatIsWanted() {
        Entry update = update(ONE_TOM, ONE_TOM, ONE_TOM, TWO_ANN, TWO_ANN, "02 02000000");

        RowPieces pieces = Encodings.pieces(update, new RowCut(RowKey.PRIMARY, RowKey.PRIMARY, false, true));

        assertThat(List.of(pieces.type(0), pieces.type(1), pieces.type(2), pieces.type(3)))
                .containsExactly(EventType.UPDATE, EventType.DELETE, EventType.INSERT, EventType.UPDATE);
        assertThat(pieces.count()).isEqualTo(4);
        assertThat(List.of(pieces.hash(0), pieces.hash(1), pieces.hash(2), pieces.hash(3)))
                .containsExactly(49, 49, 50, 50);
        assertThat(flat(pieces.entryOf(1))).contains("\"data\":[{\"id\":\"1\",\"name\":\"tom\"}]", "\"DELETE\"");
        assertThat(flat(pieces.entryOf(2))).contains("\"data\":[{\"id\":\"2\",\"name\":\"ann\"}]", "\"INSERT\"");
        assertThat(pieces.entryOf(2).changeId())
                .isEqualTo(new ChangeId(null, 1, "binlog.000001", 4, 2, 11, 1, RowPart.AFTER));
        assertThat(pieces.entryOf(0, 3).changeId().row()).isEqualTo(10);
    }

    /** What a split row changed is no change of the rows in the message of the update. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oldNamesNoColumnThatOnlySplitRowsChanged(boolean accumulates) {
        String rows = ONE_TOM + TWO_ANN + THREE_NULL + "00 03000000 03616e6e" + "00 04000000 03746f6d" + ONE_TOM;
        Entry update = entry(TABLE, EventType.UPDATE, "02 ff ff " + rows, 10, new RowRules(accumulates, false));

        RowPieces pieces = Encodings.pieces(update, new RowCut(RowKey.PRIMARY, null, false, true));

        assertThat(pieces.count()).isEqualTo(5);
        assertThat(flat(pieces.entryOf(2)))
                .contains("\"data\":[{\"id\":\"3\",\"name\":\"ann\"}]", "\"old\":[{\"name\":null}]")
                .contains("\"sqlType\":{\"id\":4,\"name\":12}");
    }

    /** The delete alone would lose the columns that are not in the image after. */
    @Test
    void anUpdateThatLacksColumnsIsNotSplit() {
        RowsEntry minimal = entry(TABLE, EventType.UPDATE, "02 01 01 00 01000000 00 02000000", 0);

        RowPieces pieces = Encodings.pieces(minimal, new RowCut(RowKey.PRIMARY, null, false, true));

        assertThat(pieces.count()).isEqualTo(1);
        assertThat(pieces.type(0)).isEqualTo(EventType.UPDATE);
        assertThat(pieces.hash(0)).isEqualTo("2".hashCode());
    }

    /** canal takes a key that is not in the image after for empty. Updates of keys are split so that rows are in order. */
    @Test
    void aKeyThatDidNotChangeMayBeInTheImageBeforeAlone() {
        RowsEntry minimal = entry(TABLE, EventType.UPDATE, "02 01 02 00 01000000 00 03 616e6e", 0);

        assertThat(Encodings.pieces(minimal, new RowCut(RowKey.PRIMARY, null, false, false))
                        .hash(0))
                .isZero();
        RowPieces pieces = Encodings.pieces(minimal, new RowCut(RowKey.PRIMARY, RowKey.PRIMARY, false, true));
        assertThat(pieces.hash(0)).isEqualTo(49);
        assertThat(pieces.messageKey(0)).isEqualTo(new byte[] {'1'});
    }

    /** The same row, if images are completed: also where updates of keys are not split, as in its insert and its delete. */
    @Test
    void aCompletedImageHasTheKeyOfTheImageBefore() {
        RowsEntry minimal = completed("02 01 02 00 01000000 00 03 616e6e 00 02000000 01");

        for (boolean splits : new boolean[] {false, true}) {
            RowPieces pieces = Encodings.pieces(minimal, new RowCut(RowKey.PRIMARY, RowKey.PRIMARY, false, splits));
            assertThat(List.of(pieces.hash(0), pieces.hash(1))).containsExactly(49, 50);
            assertThat(pieces.messageKey(1)).isEqualTo(new byte[] {'2'});
            assertThat(flat(pieces.entryOf(1))).contains("\"data\":[{\"id\":\"2\",\"name\":null}]", "\"old\":[{}]");
        }
        assertThat(flat(minimal))
                .contains("\"data\":[{\"id\":\"1\",\"name\":\"ann\"},{\"id\":\"2\",\"name\":null}]")
                .contains("\"old\":[{},{}]", "\"pkNames\":[\"id\"]")
                .contains("\"mysqlType\":{\"id\":\"int\",\"name\":\"varchar(20)\"}", "{\"id\":4,\"name\":12}");
    }

    /** With MariaDB's {@code FULL_NODUP} nothing is missing then, so it can be split. */
    @Test
    void anUpdateWhoseImageIsCompletedToAllColumnsIsSplit() {
        RowsEntry halfDoubled = completed("02 03 01 " + ONE_TOM + " 00 02000000");

        RowPieces pieces = Encodings.pieces(halfDoubled, new RowCut(RowKey.PRIMARY, RowKey.PRIMARY, false, true));

        assertThat(List.of(pieces.type(0), pieces.type(1))).containsExactly(EventType.DELETE, EventType.INSERT);
        assertThat(List.of(pieces.hash(0), pieces.hash(1))).containsExactly(49, 50);
        assertThat(flat(pieces.entryOf(0))).contains("\"data\":[{\"id\":\"1\",\"name\":\"tom\"}]", "\"DELETE\"");
        assertThat(flat(pieces.entryOf(1))).contains("\"data\":[{\"id\":\"2\",\"name\":\"tom\"}]", "\"INSERT\"");
    }

    /** Neither image of a minimal one has the name, so a delete and an insert would lose it. */
    @Test
    void anUpdateThatLacksColumnsAlsoWhenCompletedIsNotSplit() {
        RowPieces pieces = Encodings.pieces(
                completed("02 01 01 00 01000000 00 02000000"), new RowCut(RowKey.PRIMARY, RowKey.PRIMARY, false, true));

        assertThat(pieces.count()).isEqualTo(1);
        assertThat(pieces.hash(0)).isEqualTo(50);
    }

    private static RowsEntry completed(String hex) {
        return entry(TABLE, EventType.UPDATE, hex, 0, new RowRules(true, true));
    }

    @Test
    void manyRowsAreFoundAll() {
        String[] rows = new String[1000];
        java.util.Arrays.setAll(rows, i -> "02 " + HexFormat.of().toHexDigits(Integer.reverseBytes(i)));

        RowPieces pieces = Encodings.pieces(insert(rows), new RowCut(RowKey.PRIMARY, RowKey.PRIMARY, false, false));

        assertThat(pieces.count()).isEqualTo(1000);
        for (int i = 0; i < 1000; i++) {
            assertThat(pieces.hash(i)).isEqualTo(Integer.toString(i).hashCode());
        }
        assertThat(flat(pieces.entryOf(0, 999)))
                .contains("[{\"id\":\"0\",\"name\":null},{\"id\":\"999\",\"name\":null}]");
    }

    @Test
    void whatHasNoImagesIsNotCut() {
        Entry encoded = Encodings.encoded(insert(ONE_TOM));
        Entry part = Encodings.pieces(insert(ONE_TOM, TWO_ANN), new RowCut(RowKey.PRIMARY, null, false, false))
                .entryOf(1);
        RowCut cut = new RowCut(RowKey.PRIMARY, null, false, false);

        assertThat(encoded).isInstanceOf(EncodedEntry.class);
        assertThatThrownBy(() -> Encodings.pieces(encoded, cut)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Encodings.pieces(part, cut)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Encodings.pieces(entry(TABLE, EventType.INSERT, "02 ff 00 0100", 0), cut))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("mytest.user at binlog.000001:4");
    }

    private static RowsEntry insert(String... rows) {
        return entry(TABLE, EventType.INSERT, "02 ff " + String.join("", rows), 0);
    }

    private static RowsEntry update(String... images) {
        return entry(TABLE, EventType.UPDATE, "02 ff ff " + String.join("", images), 10);
    }

    private static RowsEntry entry(MappedTable table, EventType type, String hex, int firstRow) {
        return entry(table, type, hex, firstRow, RowRules.DEFAULT);
    }

    private static RowsEntry entry(MappedTable table, EventType type, String hex, int firstRow, RowRules rules) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        Origin origin = new Origin(
                new LogFile(SourceServer.at("localhost", 3306), "binlog.000001"), 4, 1, 1_000, 40, 2, null, false);
        return new RowsEntry(origin, type, table, 7, EventBytes.of(bytes), 0, bytes.length, null, firstRow, rules);
    }

    private static String flat(Entry entry) {
        ByteWriter out = new ByteWriter(64);
        assertThat(Encodings.writeFlat(entry, out, 1, 2)).isTrue();
        return new String(out.array(), 0, out.size(), StandardCharsets.UTF_8);
    }
}
