package io.sluice.format.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.entry.EventType;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowLayoutsTest {
    private static final ColumnTypes TYPES = ColumnTypes.defaults(ZoneOffset.UTC);

    private final RowLayouts layouts = new RowLayouts();

    @Test
    void tablesWithTheSameColumnsShareALayout() {
        RowLayout first = layouts.of(columns("a", 3));

        assertThat(layouts.of(columns("a", 3))).isSameAs(first);
        assertThat(layouts.of(columns("a", 2))).isNotSameAs(first);
        assertThat(layouts.of(columns("b", 3))).isNotSameAs(first);
    }

    @Test
    void whatIsUsedInAGenerationOutlivesTheNextTurn() {
        RowLayout asked = layouts.of(columns("asked", 3));
        RowLayout kept = layouts.of(columns("kept", 3));
        RowLayout forgotten = layouts.of(columns("forgotten", 3));
        for (int i = 0; i < 5; i++) {
            layouts.turn();
            assertThat(layouts.of(columns("asked", 3))).isSameAs(asked);
            layouts.keep(kept);
        }

        assertThat(layouts.of(columns("kept", 3))).isSameAs(kept);
        assertThat(layouts.of(columns("forgotten", 3))).isNotSameAs(forgotten);
    }

    @Test
    void bytesAreThoseOfOneGeneration() {
        RowLayout layout = layouts.of(columns("a", 40));
        layouts.of(columns("a", 40));
        assertThat(layouts.bytes()).isEqualTo(layout.heapBytes()).isBetween(8_000L, 20_000L);

        layouts.turn();
        assertThat(layouts.bytes()).isZero();
        layouts.keep(layout);
        layouts.keep(layout);
        assertThat(layouts.bytes()).isEqualTo(layout.heapBytes());
    }

    @Test
    void columnsThatDifferInAnythingHaveLayoutsOfTheirOwn() {
        MappedColumn usual = column(false, true, true, false);
        RowLayout layout = layouts.of(List.of(usual));

        assertThat(layouts.of(List.of(column(false, true, true, false)))).isSameAs(layout);
        for (MappedColumn other : List.of(
                column(true, true, true, false),
                column(false, false, true, false),
                column(false, true, false, false),
                column(false, true, true, true))) {
            assertThat(other).isNotEqualTo(usual);
            assertThat(layouts.of(List.of(other))).isNotSameAs(layout);
        }
    }

    /** A key column and another one; the bits of the images before and after say which are there. */
    @ParameterizedTest
    @CsvSource({
        "INSERT, true,  02 fd,    false, false, true",
        "INSERT, true,  02 fe,    false, true,  true",
        "INSERT, false, 02 fd,    false, true,  true",
        "INSERT, false, 02 fe,    false, false, false",
        "DELETE, true,  02 fe,    true,  true,  true",
        "UPDATE, true,  02 ff ff, false, false, false",
        "UPDATE, true,  02 fd ff, false, false, true",
        "UPDATE, true,  02 ff fe, false, true,  true",
        "UPDATE, true,  02 ff fe, true,  false, true",
        "UPDATE, true,  02 fe fe, true,  true,  true",
        "UPDATE, true,  02 ff fd, false, false, true",
    })
    void bitsTellWhatAnEventLacks(
            EventType type, boolean delivered, String hex, boolean completes, boolean lacksKey, boolean lacksColumns) {
        RowLayout layout = layouts.of(List.of(column(true, delivered, true, false), column(false, true, true, false)));

        assertThat(layout.lacksKey(body(hex), type, completes)).isEqualTo(lacksKey);
        assertThat(layout.lacksColumns(body(hex), type)).isEqualTo(lacksColumns);
    }

    @ParameterizedTest
    @CsvSource({
        "INSERT, 02 fd, false",
        "INSERT, 02 ff, true",
        "UPDATE, 02 fd fd, false",
        "UPDATE, 02 ff fd, true",
        "UPDATE, 02 fd ff, true",
    })
    void bitsTellThatAColumnIsThereThatIsNeverLogged(EventType type, String hex, boolean names) {
        RowLayout layout = layouts.of(List.of(column(true, true, true, false), column(false, true, false, false)));

        assertThat(layout.namesUnlogged(body(hex), type)).isEqualTo(names);
    }

    @ParameterizedTest
    @CsvSource({"02 ff ff, false", "02 fd ff, true", "02 fd fd, false", "02 ff fd, false"})
    void differencesAreAloneWithoutTheDocumentBefore(String hex, boolean alone) {
        TableMap map = new TableMap(1, "s", "t", new int[] {ColumnCode.JSON}, new int[] {4}, null, null);
        ColumnDeclaration json = new ColumnDeclaration("j", "json", false, null);
        RowLayout layout = layouts.of(
                List.of(column(true, true, true, false), new MappedColumn("j", "json", false, TYPES.of(map, 0, json))));

        assertThat(layout.hasDifferencesAlone(body(hex))).isEqualTo(alone);
    }

    private static EventBody body(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        return new EventBody(bytes, 0, bytes.length);
    }

    private static MappedColumn column(boolean key, boolean delivered, boolean logged, boolean generated) {
        MappedColumn usual = columns("a", 1).get(0);
        return new MappedColumn("c", "int", key, usual.type(), delivered, logged, generated);
    }

    private static List<MappedColumn> columns(String prefix, int count) {
        TableMap map = new TableMap(1, "s", "t", new int[] {ColumnCode.LONG}, new int[1], new boolean[1], null);
        List<MappedColumn> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ColumnDeclaration column = new ColumnDeclaration(prefix + "_column_" + i, "int", false, null);
            columns.add(new MappedColumn(column.name(), column.mysqlType(), i == 0, TYPES.of(map, 0, column)));
        }
        return columns;
    }
}
