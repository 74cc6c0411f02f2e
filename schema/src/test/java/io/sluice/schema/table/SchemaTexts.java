package io.sluice.schema.table;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Table schemas as short texts, to compare with. */
public final class SchemaTexts {
    private SchemaTexts() {}

    /** {@code name type} of all columns, with a star after the name of those of the primary key. */
    public static String text(@Nullable TableSchema table) {
        return table == null
                ? "none"
                : table.columns().stream()
                        .map(column -> column.name() + (column.primaryKey() ? "* " : " ") + column.mysqlType())
                        .collect(Collectors.joining(", "));
    }

    /** {@code name charset} of all columns that have one, {@code ?} for a set that is not known. */
    public static String charsets(@Nullable TableSchema table) {
        return table == null
                ? "none"
                : table.columns().stream()
                        .filter(column -> column.family().hasCharset())
                        .map(column -> column.name() + " " + (column.charset() == null ? "?" : column.charset()))
                        .collect(Collectors.joining(", "));
    }
}
