package io.sluice.schema.ddl;

import org.jspecify.annotations.Nullable;

/**
 * The position of an event in the binlog, with what the schema history keeps of it.
 *
 * @param file the binlog file's name
 * @param offset where the event starts in it, in bytes
 * @param length of the event, in bytes
 * @param serverId the {@code server_id} that wrote it
 * @param timeMillis when, in milliseconds since the epoch
 * @param gtid its transaction's GTID; null if it is not known
 */
public record EventPosition(
        String file,
        long offset,
        int length,
        long serverId,
        long timeMillis,
        @Nullable String gtid) {
    @Override
    public String toString() {
        return file + ":" + offset;
    }
}
