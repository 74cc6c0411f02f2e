package io.sluice.format.flat;

import io.sluice.format.row.MappedTable;
import io.sluice.format.value.JsonText;

/** The fields of a table in flat JSON. Immutable. */
final class FlatTable {
    /** The schema and the table as JSON strings. */
    final byte[] schema;

    final byte[] table;

    final FlatColumns columns;

    private FlatTable(MappedTable mapped) {
        this.schema = JsonText.stringOf(mapped.schema());
        this.table = JsonText.stringOf(mapped.table());
        this.columns = mapped.layout().prepared(FlatColumns.class, FlatColumns::new);
    }

    static FlatTable of(MappedTable mapped) {
        return mapped.prepared(FlatTable.class, FlatTable::new);
    }
}
