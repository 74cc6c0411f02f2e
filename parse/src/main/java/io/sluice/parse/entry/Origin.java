package io.sluice.parse.entry;

import io.sluice.protocol.position.EntryPosition;
import io.sluice.protocol.position.LogPosition;
import org.jspecify.annotations.Nullable;

/**
 * Where and when the event of an entry was written.
 *
 * @param file the file it stands in
 * @param offset where it starts there, in bytes
 * @param serverId the {@code server_id} that wrote it
 * @param timeMillis when, in milliseconds since the epoch
 * @param length its length in bytes, with header and checksum
 * @param gtid what is known of its transaction's GTID; null unless in GTID mode
 */
public record Origin(
        LogFile file,
        long offset,
        long serverId,
        long timeMillis,
        int length,
        @Nullable GtidStamp gtid) {
    /** The same for the begin of its transaction. */
    Origin atBegin() {
        return gtid == null ? this : new Origin(file, offset, serverId, timeMillis, length, gtid.atBegin());
    }

    LogPosition position() {
        return new LogPosition(
                file.sourceHost(),
                file.sourcePort(),
                new EntryPosition(file.name(), offset, serverId, timeMillis, gtid == null ? "" : gtid.executed()));
    }
}
