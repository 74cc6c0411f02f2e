package io.sluice.format.row;

import java.util.List;
import java.util.function.Function;

/**
 * A table as one table map describes it, joined with its schema: all that rows events need, made once per version of the table
 * schema. Immutable, but for what encoders prepare of it.
 */
public final class MappedTable {
    /** It, its fields, and what an encoder prepares of its names, roughly. */
    private static final int OBJECT_BYTES = 320;

    private static final int PREPARED_NAMES = 2;

    private final String schema;
    private final String table;
    private final RowLayout layout;

    /** The column that holds until when a row was current, in a system-versioned table of MariaDB; −1 in all others. */
    private final int rowEnd;

    private final Prepared<MappedTable> prepared = new Prepared<>();

    /**
     * Joins a table that shares nothing with others.
     *
     * @param columns in the order of the table map
     */
    public MappedTable(String schema, String table, List<MappedColumn> columns) {
        this(schema, table, new RowLayouts().of(columns), -1);
    }

    /**
     * Joins a table whose rows have versions, or not.
     *
     * @param layout its columns, in the order of the table map
     * @param rowEnd the index of the column that holds until when a row was current; −1 if there is none
     */
    public MappedTable(String schema, String table, RowLayout layout, int rowEnd) {
        this.schema = schema;
        this.table = table;
        this.layout = layout;
        this.rowEnd = rowEnd;
    }

    /** The columns, which other tables may share. */
    public RowLayout layout() {
        return layout;
    }

    /**
     * What an encoder prepares of the table, beside what it prepares of the {@link #layout}; made when it is first asked for, and
     * shared by all threads.
     *
     * @param type its class, of which there is one value
     * @param maker makes an immutable value
     */
    public <T> T prepared(Class<T> type, Function<? super MappedTable, ? extends T> maker) {
        return prepared.get(this, type, maker);
    }

    /** How much memory it takes, roughly, without its {@link #layout}. */
    public int heapBytes() {
        return OBJECT_BYTES + PREPARED_NAMES * (schema.length() + table.length());
    }

    public String schema() {
        return schema;
    }

    public String table() {
        return table;
    }

    /** Whether its rows events are also about rows that are no longer current. */
    public boolean isVersioned() {
        return rowEnd >= 0;
    }

    /** The index of the column that holds until when a row was current; −1 if the table is not versioned. */
    public int rowEnd() {
        return rowEnd;
    }
}
