package io.sluice.parse.schema;

import org.jspecify.annotations.Nullable;

/**
 * A column as a statement defines it.
 *
 * @param charset what the definition itself says; null if it leaves that to the table
 * @param position where an ALTER TABLE puts the column; null if it says nothing
 */
record ColumnDefinition(
        String name,
        String mysqlType,
        boolean primaryKey,
        boolean unsigned,
        @Nullable String charset,
        @Nullable Position position) {

    /** {@code FIRST}, or {@code AFTER} a column. */
    record Position(@Nullable String after) {}

    /** Whether the column takes its character set from the table. */
    boolean needsDefaultCharset() {
        return charset == null && TypeFamily.of(mysqlType).hasCharset();
    }

    ColumnSchema toSchema(@Nullable String defaultCharset) {
        TypeFamily family = TypeFamily.of(mysqlType);
        String resolved = null;
        if (family.hasCharset()) {
            resolved = charset == null ? defaultCharset : charset;
        } else if (family == TypeFamily.JSON) {
            resolved = "utf8mb4";
        }
        return new ColumnSchema(name, mysqlType, primaryKey, unsigned, resolved);
    }
}
