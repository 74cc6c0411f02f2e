package io.sluice.schema.table;

/** The role of a column in a period of a table of MariaDB: that of the system, which keeps former versions of rows, or one of the application. */
public enum Versioning {
    /** No role, as nearly all columns. */
    NONE("", false),
    /** The begin or the end of a period of the application. */
    PERIOD("", false),
    /** The time until which its row was the current one. */
    ROW_END(" GENERATED ALWAYS AS ROW END", false),
    /** The time since which its row is the current one; added by the server, and hidden unless it is named. */
    HIDDEN_ROW_START(" GENERATED ALWAYS AS ROW START HIDDEN", true),
    /** {@link #ROW_END}, added by the server, and hidden unless it is named. */
    HIDDEN_ROW_END(" GENERATED ALWAYS AS ROW END HIDDEN", true);

    private final String clause;
    private final boolean hidden;

    Versioning(String clause, boolean hidden) {
        this.clause = clause;
        this.hidden = hidden;
    }

    /** The clause after the type in the texts that {@link TableText} writes; {@code HIDDEN} is not a keyword of MariaDB. */
    String clause() {
        return clause;
    }

    /** Whether the text of a {@code CREATE TABLE} does not name the column. */
    public boolean isHidden() {
        return hidden;
    }

    /** Whether it holds the time until which a row was the current one. */
    boolean isRowEnd() {
        return this == ROW_END || this == HIDDEN_ROW_END;
    }
}
