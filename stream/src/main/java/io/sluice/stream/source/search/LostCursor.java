package io.sluice.stream.source.search;

/** What happens at a start at the newest position, without a cursor, if the schema history shows that the stream was read before. */
public enum LostCursor {
    /** The stream is not read: what came since the cursor that was lost would be skipped. */
    STOP,
    /** The stream begins at the newest position, with a warning. */
    WARN,
    /** The stream begins at the newest position: there has been no cursor, or it was deleted on purpose. */
    NONE
}
