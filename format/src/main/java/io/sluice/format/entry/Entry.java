package io.sluice.format.entry;

import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.Cursor;
import org.jspecify.annotations.Nullable;

/**
 * One change, or one boundary of a transaction, on its way from the source to a reader: an image, from which a {@code MessageEncoder}
 * makes the message, or the message itself where it was encoded ahead.
 *
 * <p>Its content does not change once it is in a store; it may keep what it has computed. Every method may be
 * called by several threads at once, and more than once.
 */
public sealed interface Entry permits ImageEntry, EncodedEntry {
    /** What it is about; the same at every call. */
    EntryKind kind();

    /** What happened; null for {@link EntryKind#BEGIN} and {@link EntryKind#END}. */
    @Nullable EventType eventType();

    /** The schema (database) of the table; empty if there is none. */
    String schemaName();

    /** The table; empty if there is none. */
    String tableName();

    /** When the event was written on the source, in milliseconds since the epoch (whole seconds). */
    long executeTimeMillis();

    /** How many rows it holds; 0 unless {@link EntryKind#ROWS}. */
    int rowCount();

    /**
     * How much memory it takes, in bytes: what it keeps alive, or its message where that is larger since values in it are compressed, at
     * most; at least 1, the same at every call. What holds entries, or makes messages of them, is limited by it.
     */
    int sizeBytes();

    /** How much memory it keeps alive itself, in bytes; at least 1, at most {@link #sizeBytes}. */
    default int heldBytes() {
        return sizeBytes();
    }

    /** Whether reading can resume after it: no transaction is open there. Decided by the transaction tracker alone. */
    boolean isBoundary();

    /**
     * The cursor after it; a new object at every call, so not for the hot path.
     *
     * @throws IllegalStateException if it is no boundary
     */
    Cursor cursor();

    /** Identifies it; a new object at every call. */
    ChangeId changeId();
}
