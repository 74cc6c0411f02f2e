package io.sluice.format.row;

/** The part of a row's change that a message has. */
public enum RowPart {
    /** The whole change. */
    WHOLE,
    /** Of an update that was split: the row before it, as a delete. */
    BEFORE,
    /** Of an update that was split: the row after it, as an insert. */
    AFTER
}
