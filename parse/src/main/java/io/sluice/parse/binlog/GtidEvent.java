package io.sluice.parse.binlog;

import java.util.UUID;

/**
 * A {@code GTID_EVENT}: names the transaction that follows.
 *
 * <pre>
 *   0       1          17                25        26               34
 *   +-------+----------+-----------------+---------+----------------+-----------------+--------
 *   | flags | source   | transaction     | type    | last committed | sequence number | commit times, lengths
 *   | u8    | UUID, BE | number, u64 LE  | u8 = 2  | u64 LE         | u64 LE          | (not read)
 *   +-------+----------+-----------------+---------+----------------+-----------------+--------
 * </pre>
 *
 * @param source the server it was first committed on
 * @param number its number there, from 1
 * @param lastCommitted logical clock: the newest transaction it depends on
 * @param sequenceNumber logical clock: its own number in this file; 0 if the event does not say
 */
public record GtidEvent(UUID source, long number, long lastCommitted, long sequenceNumber) {
    private static final int LOGICAL_CLOCK = 2;

    /** Decodes the event without header and checksum. */
    public static GtidEvent decode(EventBody body) {
        body.skip(1);
        UUID source = new UUID(Long.reverseBytes(body.readLong()), Long.reverseBytes(body.readLong()));
        long number = body.readLong();
        long lastCommitted = 0;
        long sequenceNumber = 0;
        if (body.remaining() >= 17 && body.readByte() == LOGICAL_CLOCK) {
            lastCommitted = body.readLong();
            sequenceNumber = body.readLong();
        }
        return new GtidEvent(source, number, lastCommitted, sequenceNumber);
    }
}
