package io.sluice.mysql.wire.query;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a query's result, all in memory. Never changes.
 *
 * @param columns the columns' names, or their aliases; empty if the statement gives no rows
 */
public record QueryResult(List<String> columns, List<Row> rows) {
    /** The answer to a statement that gives no rows. */
    public static final QueryResult EMPTY = new QueryResult(List.of(), List.of());

    public QueryResult {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /** The first row, or null if there is none. */
    public @Nullable Row firstRow() {
        return rows.isEmpty() ? null : rows.get(0);
    }

    /** One row. A column is asked for by its index from 0, or by its name, whose case does not count. */
    public static final class Row {
        private final List<String> columns;
        private final byte[] @Nullable [] values;

        Row(List<String> columns, byte[] @Nullable [] values) {
            this.columns = columns;
            this.values = values;
        }

        /**
         * A value as the server wrote it: text in UTF-8, of a binary column its bytes. Null for NULL. Not a copy: do not
         * change it.
         *
         * @throws IndexOutOfBoundsException if there is no such column
         */
        public byte @Nullable [] bytes(int column) {
            return values[column];
        }

        /**
         * A value as text; null for NULL.
         *
         * @throws IndexOutOfBoundsException if there is no such column
         */
        public @Nullable String text(int column) {
            byte[] value = values[column];
            return value == null ? null : new String(value, StandardCharsets.UTF_8);
        }

        /**
         * A value as text; null for NULL.
         *
         * @throws IllegalArgumentException if there is no such column
         */
        public @Nullable String text(String column) {
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).equalsIgnoreCase(column)) {
                    return text(i);
                }
            }
            throw new IllegalArgumentException("result has no column %s, only %s".formatted(column, columns));
        }

        /** How many columns the row has. */
        public int size() {
            return values.length;
        }
    }
}
