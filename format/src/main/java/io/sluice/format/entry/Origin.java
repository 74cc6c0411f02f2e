package io.sluice.format.entry;

import io.sluice.format.row.RowPart;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.position.BinlogPosition;
import org.jspecify.annotations.Nullable;

/**
 * Where and when the event of an entry was written.
 *
 * @param file the file it is in
 * @param offset where it starts there, in bytes
 * @param serverId the {@code server_id} that wrote it
 * @param timeMillis when, in milliseconds since the epoch
 * @param length its length in bytes, with header and checksum
 * @param sequence how many events of its transaction are before it that may become entries, from 0
 * @param gtid what is known of its transaction's GTID; null if transactions are not followed
 * @param isBoundary whether no transaction is open after the event, so that reading can resume there
 */
public record Origin(
        LogFile file,
        long offset,
        long serverId,
        long timeMillis,
        int length,
        int sequence,
        @Nullable TransactionGtid gtid,
        boolean isBoundary) {
    /** Identifies some of its rows, or its statement. */
    ChangeId changeId(int row, int rows, RowPart part) {
        String transaction = gtid == null ? null : gtid.transaction();
        return new ChangeId(transaction, serverId, file.name(), offset, sequence, row, rows, part);
    }

    /** The boundary after the event, if it is one; or an earlier one, if a transaction before is not decided. */
    Boundary boundary() {
        if (!isBoundary) {
            throw new IllegalStateException("a transaction is open after the event at " + file.name() + ":" + offset);
        }
        Boundary held = file.held();
        if (held != null) {
            return held;
        }
        return new Boundary(
                file.source(),
                new BinlogPosition(file.name(), offset + length),
                gtid == null ? null : gtid.executed(),
                serverId,
                timeMillis,
                file.schema(),
                file.begunSeconds());
    }
}
