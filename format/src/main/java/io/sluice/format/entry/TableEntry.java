package io.sluice.format.entry;

import io.sluice.format.row.MappedTable;
import io.sluice.protocol.entry.EventType;

/** An entry of rows of one table, which can be read or not. */
abstract sealed class TableEntry extends BinlogEntry permits RowsEntry, UnreadRowsEntry {
    private final EventType type;
    private final MappedTable table;

    /**
     * Makes an entry.
     *
     * @param type INSERT, UPDATE or DELETE
     * @param table what the rows are rows of
     */
    TableEntry(Origin origin, EventType type, MappedTable table) {
        super(origin);
        this.type = type;
        this.table = table;
    }

    public final MappedTable table() {
        return table;
    }

    @Override
    public final EntryKind kind() {
        return EntryKind.ROWS;
    }

    @Override
    public final EventType eventType() {
        return type;
    }

    @Override
    public final String schemaName() {
        return table.schema();
    }

    @Override
    public final String tableName() {
        return table.table();
    }
}
