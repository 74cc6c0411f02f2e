package io.sluice.parse.history;

/**
 * A position from which a stream is about to be read.
 *
 * @param source who the server is: its {@code server_uuid}, or what stands for it
 * @param file the binlog file's name
 * @param offset where in it the first event to come starts, in bytes
 * @param serverId the {@code server_id} at a cursor, or the source's own
 * @param timeMillis when the event there was written, in milliseconds since the epoch; 0 if that is not known
 */
public record HistoryPoint(String source, String file, long offset, long serverId, long timeMillis) {
    @Override
    public String toString() {
        return file + ":" + offset;
    }
}
