package io.sluice.schema.definition;

import io.sluice.mysql.type.TypeFamily;
import io.sluice.schema.table.ColumnSchema;
import org.jspecify.annotations.Nullable;

/** Computes the types of columns after {@code CONVERT TO CHARACTER SET}. */
final class CharsetConversion {
    private CharsetConversion() {}

    /** Converts a column: a text type grows by one size if its characters may take more bytes in the new character set. */
    static ColumnSchema convert(ColumnSchema column, @Nullable String newCharset) {
        ColumnSchema converted = column.withCharset(newCharset);
        return column.charset() == null ? converted : resize(converted, column);
    }

    /** Converts a JSON column of MariaDB. */
    static ColumnSchema convertJson(ColumnSchema column, @Nullable String newCharset) {
        return newCharset == null
                ? column
                : column.withCharset(newCharset.equals("binary") ? null : newCharset)
                        .withMysqlType(jsonIn(newCharset, column.mysqlType()));
    }

    /**
     * The type of a JSON column of MariaDB, which is a LONGTEXT with a check, in a character set.
     *
     * @param charset null for that of a column that names none
     * @param json the type in utf8mb4
     */
    static String jsonIn(@Nullable String charset, String json) {
        return charset == null || charset.equals("utf8mb4") ? json : charset.equals("binary") ? "longblob" : "longtext";
    }

    /**
     * Gives a redefined TEXT or BLOB the size that its former type needs, as some servers do; LONGTEXT, LONGBLOB and types with a
     * length stay.
     */
    static ColumnSchema resize(ColumnSchema column, ColumnSchema former) {
        String target = column.family() == TypeFamily.BLOB ? "binary" : column.charset();
        if (target == null || TextSize.of(column.mysqlType()) == TextSize.LONG) {
            return column;
        }
        return column.withMysqlType(TextSize.ofConverted(former, target).resize(column.mysqlType()));
    }
}
