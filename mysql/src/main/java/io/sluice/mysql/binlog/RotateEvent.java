package io.sluice.mysql.binlog;

/**
 * A {@code ROTATE_EVENT}: the binlog continues in another file.
 *
 * <pre>
 *   0             8
 *   +-------------+----------------------+
 *   | next offset | next file, to end    |
 *   | u64 LE      | ASCII, no terminator |
 *   +-------------+----------------------+
 * </pre>
 */
public record RotateEvent(String nextFile, long nextOffset) {
    /** Decodes the event without header and checksum. */
    public static RotateEvent decode(EventBody body) {
        long offset = body.readLong();
        return new RotateEvent(body.readAsciiToEnd(), offset);
    }
}
