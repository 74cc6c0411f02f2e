package io.sluice.testkit.check;

/** Whether a stream may have a change twice. */
public enum Duplicates {
    /** Every change comes once. */
    FORBIDDEN,
    /**
     * At least once: a stream may go back to any change it delivered and repeat all that followed. Two changes that are
     * alike in every column, event and kind count as one, so each change must leave a mark, such as a version column
     * that grows.
     */
    ALLOWED
}
