package io.sluice.parse.entry;

import io.sluice.protocol.position.EntryPosition;
import io.sluice.protocol.position.LogPosition;
import io.sluice.store.entry.ChangeId;
import org.jspecify.annotations.Nullable;

/**
 * Where and when the event of an entry was written.
 *
 * @param file the file it stands in
 * @param offset where it starts there, in bytes
 * @param serverId the {@code server_id} that wrote it
 * @param timeMillis when, in milliseconds since the epoch
 * @param length its length in bytes, with header and checksum
 * @param sequence how many events of its transaction stand before it that may become entries, from 0
 * @param gtid what is known of its transaction's GTID; null unless in GTID mode
 */
public record Origin(
        LogFile file,
        long offset,
        long serverId,
        long timeMillis,
        int length,
        int sequence,
        @Nullable GtidStamp gtid) {
    /** The same for the begin of its transaction. */
    Origin atBegin() {
        return gtid == null ? this : new Origin(file, offset, serverId, timeMillis, length, sequence, gtid.atBegin());
    }

    /** What tells some of its rows, or its statement, from all others. */
    ChangeId changeId(int row, int rows, ChangeId.Part part) {
        String transaction = gtid == null ? null : gtid.transaction();
        return new ChangeId(transaction, serverId, file.name(), offset, sequence, row, rows, part);
    }

    LogPosition position() {
        return new LogPosition(
                file.sourceHost(),
                file.sourcePort(),
                new EntryPosition(file.name(), offset, serverId, timeMillis, gtid == null ? "" : gtid.executed()));
    }
}
