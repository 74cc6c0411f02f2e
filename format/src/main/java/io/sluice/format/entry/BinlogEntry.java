package io.sluice.format.entry;

import io.sluice.format.row.RowPart;
import io.sluice.protocol.position.Cursor;

/** What all entries of a binlog have in common: their origin. */
public abstract sealed class BinlogEntry implements ImageEntry permits TransactionBoundary, StatementEntry, TableEntry {
    /** An entry's own objects, roughly: it, its origin, and its place in lists. */
    private static final int OBJECT_BYTES = 128;

    private final Origin origin;

    BinlogEntry(Origin origin) {
        this.origin = origin;
    }

    /** Where its event is. */
    public final Origin origin() {
        return origin;
    }

    /** How many bytes of the event it keeps alive. */
    public abstract int sourceBytes();

    @Override
    public int sizeBytes() {
        return heldBytes();
    }

    @Override
    public final int heldBytes() {
        return OBJECT_BYTES + sourceBytes();
    }

    @Override
    public final long executeTimeMillis() {
        return origin.timeMillis();
    }

    @Override
    public ChangeId changeId() {
        return origin.changeId(0, 0, RowPart.WHOLE);
    }

    @Override
    public final boolean isBoundary() {
        return origin.isBoundary();
    }

    @Override
    public final Cursor cursor() {
        return origin.boundary().cursor();
    }
}
