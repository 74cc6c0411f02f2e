package io.sluice.format.entry;

import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.Cursor;
import org.jspecify.annotations.Nullable;

/**
 * One change, or one border of a transaction, on its way from the source to a reader.
 *
 * <p>It knows how to write itself in both forms that leave the server, so that the work is done late, once, and by the
 * thread that asks. What it says does not change once it is in a store; it may remember what it has computed for an answer. Every method
 * may be called by several threads at once, and more than once.
 */
public interface Entry {
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

    /** How much memory it keeps alive, in bytes; at least 1, the same at every call. */
    int sizeBytes();

    /** Whether reading can resume after it: no transaction is open there. Decided by the parser's transaction tracker alone. */
    boolean isBoundary();

    /**
     * The cursor after it; a new object at every call, so not for the hot path.
     *
     * @throws IllegalStateException if it is no boundary
     */
    Cursor cursor();

    /** What tells it from all others; a new object at every call. */
    ChangeId changeId();

    /**
     * Its rows one by one; not for an entry that is itself made of pieces.
     *
     * @throws IllegalStateException if it has no rows, or its protobuf bytes were made ahead
     */
    default RowPieces pieces(RowCut cut) {
        throw new IllegalStateException("an entry of kind %s has no rows to tell apart".formatted(kind()));
    }

    /** Appends the serialized protobuf {@code Entry} message; the same bytes at every call. */
    void writeProtobuf(ByteWriter out);

    /**
     * Appends the flat JSON object of this entry, in UTF-8.
     *
     * @param batchId the batch it goes out with, as field {@code id}
     * @param builtAtMillis the clock, in milliseconds since the epoch, as field {@code ts}
     * @return false, and nothing is written, if it has no flat form: begin and end
     * @throws IllegalStateException if its protobuf bytes were made ahead, and what they were made from is gone
     */
    boolean writeFlat(ByteWriter out, long batchId, long builtAtMillis);
}
