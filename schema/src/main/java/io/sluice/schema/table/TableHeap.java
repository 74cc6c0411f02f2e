package io.sluice.schema.table;

import io.sluice.mysql.wire.query.TextHeap;

/** Estimates the heap of table schemas, for objects of a 64-bit JVM. */
public final class TableHeap {
    /** A table with its names, besides its columns. */
    private static final int TABLE_BYTES = 200;

    /** A column with its name and its type, besides their characters. */
    private static final int COLUMN_BYTES = 135;

    private TableHeap() {}

    /** The bytes of a table schema, with all its texts. */
    public static long bytes(TableSchema table) {
        long bytes = TABLE_BYTES;
        for (ColumnSchema column : table.columns()) {
            bytes += COLUMN_BYTES + bytes(column.name()) + bytes(column.mysqlType());
        }
        return bytes;
    }

    private static long bytes(String text) {
        return new TextHeap().add(text);
    }
}
