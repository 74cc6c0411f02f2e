package io.sluice.format.row;

/** What a message holds of the change of a row. */
public enum RowPart {
    /** All that happened to it. */
    WHOLE,
    /** That it was there before an update which was split. */
    BEFORE,
    /** That it is there after that. */
    AFTER
}
