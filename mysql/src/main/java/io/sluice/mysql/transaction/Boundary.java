package io.sluice.mysql.transaction;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.LastEvent;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.position.SourceServer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A position between two transactions of a stream, and the only class that creates cursors. Their invariant:
 *
 * <ul>
 *   <li>everything before the cursor is confirmed, since the store gives it out only when all entries before it are acked;
 *   <li>everything after it is read again, since {@link TransactionTracker} knows no transaction to be open there, and {@code
 *       executed} has none that ends later;
 *   <li>the table schemas at it are known, since {@code schema} names the newest row of the schema history that was written
 *       before it.
 * </ul>
 *
 * <p>Immutable; the texts of the cursor are made when it is asked for.
 *
 * @param source the server
 * @param position where the next transaction starts
 * @param executed all transactions before it; null if they are not followed
 * @param serverId the {@code server_id} that wrote the newest event before it, as in {@link Cursor#serverId}; 0 if none is known
 * @param timestampMillis when that event was written, or earlier, in milliseconds since the epoch; 0 if none is known
 * @param schema the newest row of the schema history; null if there is no history
 * @param fileBegunSeconds when the file of the position was begun, in seconds since the epoch; 0 if that is not known
 */
public record Boundary(
        SourceServer source,
        BinlogPosition position,
        @Nullable GtidSet executed,
        long serverId,
        long timestampMillis,
        @Nullable SchemaReference schema,
        long fileBegunSeconds)
        implements Supplier<Cursor> {
    /** Returns the cursor at this boundary. */
    public Cursor cursor() {
        return new Cursor(
                source,
                position,
                executed == null ? "" : executed.toString(),
                serverId,
                timestampMillis,
                schema == null ? null : new SchemaReference(schema.historyId(), schema.rowId(), position),
                fileBegunSeconds);
    }

    /** The newest event before it. */
    public LastEvent lastEvent() {
        return new LastEvent(timestampMillis, serverId);
    }

    @Override
    public Cursor get() {
        return cursor();
    }
}
