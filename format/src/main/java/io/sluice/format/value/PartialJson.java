package io.sluice.format.value;

/** What becomes of a JSON value that the source logs as differences only ({@code binlog_row_value_options=PARTIAL_JSON}). */
public enum PartialJson {
    /** The whole document after the update, rebuilt from the one before. */
    DOCUMENT,
    /** A text like {@code JSON_REPLACE(column, '$.a', 1)}, and an empty one for a document that did not change, as canal gives it. */
    FUNCTION
}
