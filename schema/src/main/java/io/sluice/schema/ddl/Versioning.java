package io.sluice.schema.ddl;

/** What a column is to a system-versioned table of MariaDB, which keeps old rows beside the current ones. */
public enum Versioning {
    /** Nothing, as nearly all columns. */
    NONE("", false),
    /** It says until when its row was the current one. */
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

    /** What follows the type in a text that we write ourselves; {@code HIDDEN} is no word of MariaDB. */
    String clause() {
        return clause;
    }

    /** Whether the text of a {@code CREATE TABLE} does not name the column. */
    public boolean isHidden() {
        return hidden;
    }

    /** Whether it says until when a row was the current one. */
    public boolean isRowEnd() {
        return this == ROW_END || this == HIDDEN_ROW_END;
    }
}
