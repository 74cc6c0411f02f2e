package io.sluice.schema.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableHeapTest {
    private static long bytes(String column, String type) {
        ColumnSchema one = new ColumnSchema(column, type, false, false, null);
        return TableHeap.bytes(new TableSchema(new TableName("shop", "t"), List.of(one), null));
    }

    /** Java keeps a text with two bytes for each character if one of them is above U+00FF. */
    @Test
    void countsTheCharactersAsJavaKeepsThem() {
        long narrow = bytes("n".repeat(50), "enum('" + "\u00e9".repeat(1_000) + "')");

        assertThat(bytes("\u540d".repeat(50), "enum('" + "\u00e9".repeat(1_000) + "')"))
                .isEqualTo(narrow + 50);
        assertThat(bytes("n".repeat(50), "enum('" + "\u540d".repeat(1_000) + "')"))
                .isEqualTo(narrow + 1_000 + "enum('')".length());
    }
}
