package io.sluice.protocol.position;

import java.util.Objects;

/**
 * Where one entry stands in the binlog.
 *
 * @param journalName the binlog file's name, such as {@code binlog.000007}
 * @param position where the entry's event starts in that file, in bytes
 * @param serverId the {@code server_id} in the event's header
 * @param timestamp when the event was written, in milliseconds since the epoch (whole seconds)
 * @param gtid the GTID set executed up to and with this entry; empty unless the stream runs in GTID mode
 */
public record EntryPosition(String journalName, long position, long serverId, long timestamp, String gtid) {
    public EntryPosition {
        Objects.requireNonNull(journalName, "journalName");
        Objects.requireNonNull(gtid, "gtid");
    }
}
