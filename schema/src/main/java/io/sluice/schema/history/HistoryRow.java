package io.sluice.schema.history;

import io.sluice.schema.ddl.SqlMode;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A statement in the history, or what the source said of a table.
 *
 * @param id counts up as rows are written
 * @param useSchema the schema of the session; may be empty
 * @param sqlSchema the schema of the first table that it is about; may be empty
 * @param sqlTable that table; may be empty
 * @param text the statement
 * @param type what it does to the table, in the words of entries
 * @param extra what canal has no column for
 */
record HistoryRow(
        long id,
        HistoryPosition position,
        String useSchema,
        String sqlSchema,
        String sqlTable,
        String text,
        String type,
        Map<String, String> extra) {
    /** In {@code extra}: what kind of row it is. */
    static final String KIND = "kind";

    /** A kind, in canal's word: what the source said of a table that was not known. */
    static final String DEFINITION = "first";

    /** In {@code extra}: whose binlog it is. */
    static final String SOURCE = "source";

    /** In {@code extra}: the modes of the session. */
    static final String MODE = "mode";

    /** In {@code extra}: the transaction. */
    static final String GTID = "gtid";

    /** In {@code extra}: the offset at which the event ends. */
    static final String END = "end";

    HistoryRow {
        extra = Map.copyOf(extra);
    }

    boolean isDefinition() {
        return DEFINITION.equals(extra.get(KIND));
    }

    /** The offset at which the event ends; empty if the row does not say so. */
    OptionalLong end() {
        String end = extra.get(END);
        try {
            return end == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(end));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    SqlMode mode() {
        return SqlMode.parse(extra.getOrDefault(MODE, ""));
    }

    /** Whether it is about the same, wherever it is: the same statement, or what the source said of the same table. */
    boolean isAboutTheSame(HistoryRow other) {
        if (isDefinition() != other.isDefinition()) {
            return false;
        }
        return isDefinition()
                ? sqlTable.equals(other.sqlTable) && sqlSchema.equals(other.sqlSchema)
                : text.equals(other.text) && useSchema.equals(other.useSchema);
    }
}
