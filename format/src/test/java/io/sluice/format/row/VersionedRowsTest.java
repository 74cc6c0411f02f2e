package io.sluice.format.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.entry.EventType;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows of a table with an id and the end of its row's version. */
class VersionedRowsTest {
    /** For ever, until MariaDB 11.4 and from 11.5 on. */
    private static final String SIGNED = "7fffffff0f423f";

    private static final String UNSIGNED = "ffffffff0f423f";
    private static final String ENDED = "659a1c000f423f";

    @Test
    void oldVersionsAreLeftOutOfARun() {
        List<VersionedRows.Run> runs =
                runs(EventType.INSERT, "02ff" + row(1, ENDED) + row(2, SIGNED) + row(3, ENDED) + row(4, UNSIGNED));

        assertThat(runs).hasSize(1);
        assertRun(runs.get(0), EventType.INSERT, 1, "02ff" + row(2, SIGNED) + row(4, UNSIGNED));
    }

    @Test
    void anUpdateThatEndsAVersionIsADeletion() {
        String ended = row(2, SIGNED) + row(2, ENDED);
        List<VersionedRows.Run> runs = runs(
                EventType.UPDATE,
                "02ffff" + row(1, SIGNED) + row(1, SIGNED) + ended + row(3, ENDED) + row(3, ENDED) + row(4, UNSIGNED)
                        + row(4, UNSIGNED));

        assertThat(runs).hasSize(3);
        assertRun(runs.get(0), EventType.UPDATE, 0, "02ffff" + row(1, SIGNED) + row(1, SIGNED));
        assertRun(runs.get(1), EventType.DELETE, 1, "02ff" + row(2, SIGNED));
        assertRun(runs.get(2), EventType.UPDATE, 3, "02ffff" + row(4, UNSIGNED) + row(4, UNSIGNED));
    }

    private static String row(int id, String end) {
        return "00" + HexFormat.of().toHexDigits((byte) id) + end;
    }

    private static void assertRun(VersionedRows.Run run, EventType type, int firstRow, String hex) {
        assertThat(run.type()).isEqualTo(type);
        assertThat(run.firstRow()).isEqualTo(firstRow);
        EventBody body = run.body();
        assertThat(HexFormat.of().formatHex(Arrays.copyOfRange(body.array(), body.offset(), body.end())))
                .isEqualTo(hex);
    }

    private static List<VersionedRows.Run> runs(EventType type, String hex) {
        TableMap map = new TableMap(
                7, "s", "t", new int[] {ColumnCode.TINY, ColumnCode.TIMESTAMP2}, new int[] {0, 6}, null, null);
        ColumnTypes types = ColumnTypes.defaults(ZoneOffset.UTC);
        List<MappedColumn> columns = List.of(
                new MappedColumn(
                        "id", "tinyint", true, types.of(map, 0, new ColumnDeclaration("id", "tinyint", false, null))),
                new MappedColumn(
                        "row_end",
                        "timestamp(6)",
                        true,
                        types.of(map, 1, new ColumnDeclaration("row_end", "timestamp(6)", false, null)),
                        false));
        byte[] bytes = HexFormat.of().parseHex(hex);
        MappedTable table = new MappedTable("s", "t", new RowLayouts().of(columns), 1);
        return new VersionedRows().runsOf(table, type, new EventBody(bytes, 0, bytes.length));
    }
}
