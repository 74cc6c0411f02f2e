package io.sluice.format.debezium;

import io.sluice.format.row.MappedTable;
import io.sluice.format.row.RowLayout;
import io.sluice.format.value.JsonText;

/**
 * A table, as the messages of the format of Debezium name it; the columns may be those of other tables, too.
 *
 * @param schema its schema as a JSON string
 * @param name its name as a JSON string
 * @param columns in the order of the table map
 */
@SuppressWarnings("ArrayRecordComponent")
record DebeziumTable(byte[] schema, byte[] name, DebeziumColumn[] columns) {
    static DebeziumTable of(MappedTable table) {
        return new DebeziumTable(
                JsonText.stringOf(table.schema()),
                JsonText.stringOf(table.table()),
                table.layout().prepared(DebeziumColumn[].class, DebeziumTable::columnsOf));
    }

    private static DebeziumColumn[] columnsOf(RowLayout layout) {
        return layout.columns().stream().map(DebeziumColumn::of).toArray(DebeziumColumn[]::new);
    }
}
