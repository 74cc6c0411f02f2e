package io.sluice.mysql.binlog;

import io.sluice.mysql.gtid.MySqlGtid;
import java.util.UUID;

/**
 * A {@code GTID_EVENT}, or since MySQL 8.3 a {@code GTID_TAGGED_LOG_EVENT}: names the transaction that follows.
 *
 * <pre>
 *   0       1          17                25        26               34
 *   +-------+----------+-----------------+---------+----------------+-----------------+--------
 *   | flags | source   | transaction     | type    | last committed | sequence number | commit times, lengths
 *   | u8    | UUID, BE | number, u64 LE  | u8 = 2  | u64 LE         | u64 LE          | (not read)
 *   +-------+----------+-----------------+---------+----------------+-----------------+--------
 * </pre>
 *
 * <p>The other one has fields with numbers, of which these are read: 1, the source, each byte of it a number; 2, the
 * transaction's number; 3, the tag; 4 and 5, the logical clock; all but the tag as {@link SerializedFields} has them.
 *
 * @param gtid the transaction's name
 * @param lastCommitted logical clock: the newest transaction it depends on
 * @param sequenceNumber logical clock: its own number in this file; 0 if the event does not say
 */
public record GtidEvent(MySqlGtid gtid, long lastCommitted, long sequenceNumber) {
    private static final int MAY_HAVE_STATEMENTS = 1;
    private static final int LOGICAL_CLOCK = 2;

    private static final int FLAGS = 0;
    private static final int SOURCE = 1;
    private static final int NUMBER = 2;
    private static final int TAG = 3;
    private static final int LAST_COMMITTED = 4;
    private static final int SEQUENCE_NUMBER = 5;

    /** Decodes a {@code GTID_EVENT} without header and checksum. */
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
        return new GtidEvent(gtid(source, "", number), lastCommitted, sequenceNumber);
    }

    /**
     * Whether the transaction contains rows and no statement as text, by the flags of a {@code GTID_EVENT} or {@code
     * ANONYMOUS_GTID_EVENT}. MySQL before 5.7.19 states of every transaction that it may contain statements.
     *
     * @param body not advanced
     */
    public static boolean hasRowsOnly(EventBody body) {
        return body.remaining() > 0 && (body.array()[body.offset()] & MAY_HAVE_STATEMENTS) == 0;
    }

    /** Decodes a {@code GTID_TAGGED_LOG_EVENT} without header and checksum. */
    public static GtidEvent decodeTagged(EventBody body) {
        SerializedFields fields = new SerializedFields(body);
        UUID source = new UUID(0, 0);
        String tag = "";
        long number = 0;
        long lastCommitted = 0;
        long sequenceNumber = 0;
        while (fields.next(SEQUENCE_NUMBER)) {
            switch (fields.number()) {
                case FLAGS -> fields.readUnsigned();
                case SOURCE -> source = new UUID(fields.readBytes(), fields.readBytes());
                case NUMBER -> number = fields.readSigned();
                case TAG -> tag = fields.readText();
                case LAST_COMMITTED -> lastCommitted = fields.readSigned();
                default -> sequenceNumber = fields.readSigned();
            }
        }
        return new GtidEvent(gtid(source, tag, number), lastCommitted, sequenceNumber);
    }

    private static MySqlGtid gtid(UUID source, String tag, long number) {
        try {
            return new MySqlGtid(source, tag, number);
        } catch (IllegalArgumentException e) {
            throw new MalformedEventException("a GTID event has " + e.getMessage(), e);
        }
    }
}
