package io.sluice.schema.ddl.catalog;

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
 * @param fileBegunSeconds when the file was begun, in seconds since the epoch, which distinguishes it from another one that got its name after a
 *     reset; 0 if that is not known
 */
public record EventPosition(
        String file,
        long offset,
        int length,
        long serverId,
        long timeMillis,
        @Nullable String gtid,
        long fileBegunSeconds) {

    /** A position in a file of which it is not known when it was begun. */
    public EventPosition(String file, long offset, int length, long serverId, long timeMillis, @Nullable String gtid) {
        this(file, offset, length, serverId, timeMillis, gtid, 0);
    }

    @Override
    public String toString() {
        return file + ":" + offset;
    }
}
