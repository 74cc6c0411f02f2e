package io.sluice.format.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.RowRules;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.split.RowCut;
import io.sluice.format.split.RowKey;
import io.sluice.format.split.RowPieces;
import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A table {@code shop.sum (id tinyint, a tinyint, g tinyint as (a + 1))}, whose row images may lack {@code g}. */
class GeneratedColumnsTest {
    private static final RowCut SPLIT = new RowCut(RowKey.of(List.of("id")), null, false, true);

    /** As MariaDB 11.8 logs an update with any {@code binlog_row_image} that has all of the image before. */
    @ParameterizedTest
    @CsvSource({"03 03 03 00 01 05 00 02 05, false", "03 03 01 00 01 05 00 02, true"})
    void anUpdateIsSplitThoughItsImagesLackThem(String hex, boolean completes) {
        RowPieces pieces = Encodings.pieces(update(table(true, true), hex, completes), SPLIT);

        assertThat(pieces.count()).isEqualTo(2);
        assertThat(flat(pieces.entryOf(0))).contains("\"data\":[{\"id\":\"1\",\"a\":\"5\"}]", "\"DELETE\"");
        assertThat(flat(pieces.entryOf(1))).contains("\"data\":[{\"id\":\"2\",\"a\":\"5\"}]", "\"INSERT\"");
    }

    /** Where the image before has the column, or lacks others, it is not known to be one that the server never logs. */
    @ParameterizedTest
    @CsvSource({
        "03 07 03 00 01 05 06 00 02 05, false",
        "03 01 03 00 01 00 02 05, false",
        "03 01 03 00 01 00 02 05, true",
        "03 03 01 00 01 05 00 02, false",
    })
    void anUpdateThatMayLackItsValueIsNotSplit(String hex, boolean completes) {
        RowPieces pieces = Encodings.pieces(update(table(true, true), hex, completes), SPLIT);

        assertThat(pieces.count()).isEqualTo(1);
        assertThat(pieces.type(0)).isEqualTo(EventType.UPDATE);
    }

    /** What {@code binlog_row_image} leaves out of the image before counts even where it is not delivered. */
    @ParameterizedTest
    @CsvSource({
        "03 01 01 00 01 00 02, false, 1",
        "03 01 03 00 01 00 02 05, false, 1",
        "03 01 01 00 01 00 02, true, 1",
        "03 05 01 00 01 06 00 02, false, 1",
        "03 03 03 00 01 05 00 02 05, false, 2",
        "03 FB FB 00 01 05 00 02 05, false, 2",
    })
    void columnsThatAreNotDeliveredTellShortenedImages(String hex, boolean completes, int pieces) {
        MappedTable table = table(true, true, List.of("id", "g"));

        assertThat(Encodings.pieces(update(table, hex, completes), SPLIT).count())
                .isEqualTo(pieces);
    }

    /** As of other servers, which log all columns. */
    @Test
    void otherColumnsCount() {
        RowPieces pieces = Encodings.pieces(update(table(true, false), "03 03 03 00 01 05 00 02 05", false), SPLIT);

        assertThat(pieces.count()).isEqualTo(1);
    }

    @Test
    void imagesWithoutThemLackNothing() {
        for (boolean hasKey : new boolean[] {true, false}) {
            RowLayout layout = table(hasKey, true).layout();

            assertThat(layout.lacksKey(body("03 03 03"), EventType.UPDATE, false))
                    .isFalse();
            assertThat(layout.lacksColumns(body("03 03 03"), EventType.UPDATE)).isFalse();
            assertThat(layout.lacksColumns(body("03 03"), EventType.DELETE)).isFalse();
            assertThat(layout.lacksKey(body("03 06"), EventType.DELETE, false)).isTrue();
            assertThat(layout.lacksColumns(body("03 05"), EventType.DELETE)).isTrue();
            assertThat(table(hasKey, false).layout().lacksColumns(body("03 03"), EventType.DELETE))
                    .isTrue();
        }
    }

    private static EventBody body(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        return new EventBody(bytes, 0, bytes.length);
    }

    private static MappedTable table(boolean hasKey, boolean isGenerated) {
        return table(hasKey, isGenerated, List.of("id", "a", "g"));
    }

    private static MappedTable table(boolean hasKey, boolean isGenerated, List<String> delivered) {
        int[] types = {ColumnCode.TINY, ColumnCode.TINY, ColumnCode.TINY};
        TableMap map = new TableMap(7, "shop", "sum", types, new int[3], new boolean[3], null);
        List<MappedColumn> columns = new ArrayList<>();
        for (String name : List.of("id", "a", "g")) {
            int index = columns.size();
            ColumnDeclaration column = new ColumnDeclaration(name, "tinyint", false, null);
            columns.add(new MappedColumn(
                    name,
                    column.mysqlType(),
                    hasKey && index == 0,
                    ColumnTypes.defaults(ZoneOffset.UTC).of(map, index, column),
                    delivered.contains(name),
                    true,
                    isGenerated && index == 2));
        }
        return new MappedTable("shop", "sum", columns);
    }

    private static RowsEntry update(MappedTable table, String hex, boolean completes) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        Origin origin = new Origin(
                new LogFile(SourceServer.at("localhost", 3306), "binlog.000001"), 4, 1, 1_000, 40, 2, null, false);
        return new RowsEntry(
                origin,
                EventType.UPDATE,
                table,
                7,
                EventBytes.of(bytes),
                0,
                bytes.length,
                null,
                0,
                new RowRules(true, completes));
    }

    private static String flat(Entry entry) {
        ByteWriter out = new ByteWriter(64);
        assertThat(Encodings.writeFlat(entry, out, 1, 2)).isTrue();
        return new String(out.array(), 0, out.size(), StandardCharsets.UTF_8);
    }
}
