package io.sluice.schema.history.database;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The form that the tables of a history in MySQL must have. canal makes them with {@code utf8}, which has no characters of four bytes, with {@code text} for
 * what is stored beside the table schemas of a snapshot, which ends at 64 KiB, and with a collation by which the names {@code shop} and {@code Shop} are the same.
 */
final class MySqlTableForms {
    /** Asks for the columns of the tables of a schema, as {@link #changes} needs them. */
    static final String QUERY =
            "select table_name, column_name, data_type, collation_name from information_schema.columns"
                    + " where table_schema = ? and table_name in ('meta_history', 'meta_identity', 'meta_snapshot')"
                    + " and collation_name is not null order by table_name, column_name";

    static final String CHARSET = "character set utf8mb4 collate utf8mb4_bin";

    private static final String COLLATION = "utf8mb4_bin";
    private static final String LONG = "longtext";

    /** Columns that may be longer than 64 KiB. */
    private static final Map<String, List<String>> LONG_COLUMNS =
            Map.of("meta_history", List.of("sql_text"), "meta_snapshot", List.of("data", "extra"));

    private MySqlTableForms() {}

    /** The statements that give tables the form; empty if they have it. */
    static List<String> changes(List<@Nullable String[]> columns) {
        Map<String, Boolean> tables = new LinkedHashMap<>();
        for (@Nullable String[] column : columns) {
            String table = String.valueOf(column[0]);
            boolean isLong = LONG_COLUMNS.getOrDefault(table, List.of()).contains(String.valueOf(column[1]));
            boolean isWide = COLLATION.equals(column[3]) && (!isLong || LONG.equals(column[2]));
            tables.merge(table, isWide, Boolean::logicalAnd);
        }
        return tables.entrySet().stream()
                .filter(table -> !table.getValue())
                .map(table -> change(table.getKey()))
                .toList();
    }

    private static String change(String table) {
        List<String> parts = new ArrayList<>();
        parts.add("convert to " + CHARSET);
        for (String column : LONG_COLUMNS.getOrDefault(table, List.of())) {
            parts.add("modify " + column + " " + LONG + " " + CHARSET);
        }
        return "alter table " + table + " " + String.join(", ", parts);
    }

    /** All of the statements, for a table in which a text does not fit. */
    static String all() {
        return String.join(
                "; ",
                Stream.of("meta_history", "meta_snapshot")
                        .map(MySqlTableForms::change)
                        .toList());
    }
}
