package io.sluice.mysql.binlog;

import java.nio.charset.StandardCharsets;

/**
 * Reads the fields of an event in the encoding of MySQL's serialization library, which new events have since 8.3.
 *
 * <pre>
 *   +---------+------+----------------------+----------------------+--------
 *   | version | size | last field that must | field number | value | ...
 *   | = 1     |      | be understood, or 0  |              |       |
 *   +---------+------+----------------------+----------------------+--------
 * </pre>
 *
 * <p>Every number takes one to nine bytes, little-endian: as many bits as the first byte has ones at its low end say how
 * many more bytes follow; they and the zero above them are no part of the value. A signed number has its sign in the
 * lowest bit, and its complement where it is negative. Source: MySQL's source code documentation, "libs/mysql/serialization",
 * and what servers of 9.7 write. For one thread.
 */
final class SerializedFields {
    private static final int VERSION = 1;

    private final EventBody body;
    private long number = -1;

    /** Opens the fields at the start of an event without header and checksum. */
    SerializedFields(EventBody body) {
        this.body = body;
        long version = readUnsigned();
        if (version != VERSION) {
            throw new MalformedEventException("an event in version %d of its form; only 1 is known".formatted(version));
        }
        readUnsigned();
        readUnsigned();
    }

    /**
     * Goes to the next field, whose value must be read then.
     *
     * @param last the last field that the reader understands; what follows is passed over, since its form is not known
     * @return false at the end
     */
    boolean next(int last) {
        if (body.remaining() == 0) {
            return false;
        }
        long before = number;
        number = readUnsigned();
        if (number <= before) {
            throw new MalformedEventException("field %d of an event follows field %d".formatted(number, before));
        }
        return number <= last;
    }

    int number() {
        return (int) number;
    }

    long readUnsigned() {
        int first = body.readByte();
        int more = Integer.numberOfTrailingZeros(~first & 0xFF | 0x100);
        long value = 0;
        for (int i = 0; i < more; i++) {
            value |= (long) body.readByte() << 8 * i;
        }
        return more >= 7 ? value : value << 7 - more | first >> more + 1;
    }

    long readSigned() {
        long value = readUnsigned();
        return value >>> 1 ^ -(value & 1);
    }

    /** Eight bytes, each of which is a number of its own; the first is the highest. */
    long readBytes() {
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | readUnsigned() & 0xFF;
        }
        return value;
    }

    /** A text of ASCII, after its length. */
    String readText() {
        return body.readText(readUnsigned(), StandardCharsets.US_ASCII);
    }
}
