package io.sluice.format.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

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
