package io.sluice.mysql.wire.packet;

import io.sluice.mysql.wire.error.MalformedPacketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one packet's payload, front to back. Integers are little-endian.
 *
 * <p>Every length is checked against what is left before any memory is taken for it. Types as in the page <em>Protocol
 * Data Types</em> of MySQL's source code documentation. Text is in UTF-8; bytes that are not become replacement characters.
 * For one thread.
 */
public final class Payload {
    /** The result of {@link #readLengthOrNull} for NULL. */
    static final long NULL = -1;

    private final byte[] bytes;
    private final int end;
    private int at;

    /** Makes a reader of {@code length} bytes from {@code offset} on. They are not copied, and must not change while they are read. */
    public Payload(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.at = offset;
        this.end = offset + length;
    }

    /** How many bytes are still to be read. */
    public int remaining() {
        return end - at;
    }

    /**
     * The next byte as 0 to 255, which stays unread.
     *
     * @throws MalformedPacketException if nothing is left
     */
    public int peek() throws MalformedPacketException {
        need(1);
        return bytes[at] & 0xFF;
    }

    /**
     * One byte, as 0 to 255.
     *
     * @throws MalformedPacketException if nothing is left
     */
    public int readByte() throws MalformedPacketException {
        need(1);
        return bytes[at++] & 0xFF;
    }

    /**
     * Two bytes, unsigned.
     *
     * @throws MalformedPacketException if less is left
     */
    public int readInt2() throws MalformedPacketException {
        need(2);
        int value = (bytes[at] & 0xFF) | (bytes[at + 1] & 0xFF) << 8;
        at += 2;
        return value;
    }

    /**
     * Four bytes, unsigned.
     *
     * @throws MalformedPacketException if less is left
     */
    public long readInt4() throws MalformedPacketException {
        return readInt2() | (long) readInt2() << 16;
    }

    /**
     * A length-encoded integer.
     *
     * <pre>
     *   0x00..0xFA   the value itself        0xFC   u16 follows     0xFE   u64 follows
     *   0xFB         NULL, in rows only      0xFD   u24 follows     0xFF   never (starts an error packet)
     * </pre>
     *
     * @return a value of 0 or more, or {@link #NULL}
     */
    long readLengthOrNull() throws MalformedPacketException {
        int first = readByte();
        return switch (first) {
            case 0xFB -> NULL;
            case 0xFC -> readInt2();
            case 0xFD -> readInt2() | (long) readByte() << 16;
            case 0xFE -> {
                long value = readInt4() | readInt4() << 32;
                if (value < 0) {
                    throw new MalformedPacketException("length-encoded integer exceeds 63 bits");
                }
                yield value;
            }
            case 0xFF -> throw new MalformedPacketException("0xFF where a length-encoded integer was expected");
            default -> first;
        };
    }

    /**
     * A length-encoded integer, of 0 or more, that must not be NULL.
     *
     * @throws MalformedPacketException if it is NULL or malformed, or less is left than it needs
     */
    public long readLength() throws MalformedPacketException {
        long length = readLengthOrNull();
        if (length == NULL) {
            throw new MalformedPacketException("NULL where a length was expected");
        }
        return length;
    }

    /**
     * A copy of the next bytes.
     *
     * @param length 0 or more
     * @throws MalformedPacketException if less is left
     */
    public byte[] readBytes(long length) throws MalformedPacketException {
        need(length);
        byte[] copy = Arrays.copyOfRange(bytes, at, at + (int) length);
        at += (int) length;
        return copy;
    }

    /**
     * The bytes of a length-encoded string, as a copy; null for NULL.
     *
     * @throws MalformedPacketException if the length is malformed, or less is left than it states
     */
    public byte @Nullable [] readLengthEncodedBytesOrNull() throws MalformedPacketException {
        long length = readLengthOrNull();
        return length == NULL ? null : readBytes(length);
    }

    /**
     * A length-encoded string that must not be NULL, as text.
     *
     * @throws MalformedPacketException if it is NULL, the length is malformed, or less is left than it states
     */
    public String readLengthEncodedText() throws MalformedPacketException {
        return readText(readLength());
    }

    String readText(long length) throws MalformedPacketException {
        need(length);
        String text = new String(bytes, at, (int) length, StandardCharsets.UTF_8);
        at += (int) length;
        return text;
    }

    /** Text up to a NUL, which is read too; up to the end if there is none. */
    public String readTextToNul() {
        int nul = at;
        while (nul < end && bytes[nul] != 0) {
            nul++;
        }
        String text = new String(bytes, at, nul - at, StandardCharsets.UTF_8);
        at = Math.min(nul + 1, end);
        return text;
    }

    /** Text up to a NUL as {@link #readTextToNul()} reads it, of which at most {@code limit} bytes are kept; an ellipsis replaces the others. */
    public String readTextToNul(int limit) {
        int nul = at;
        while (nul < end && bytes[nul] != 0) {
            nul++;
        }
        Payload text = new Payload(bytes, at, nul - at);
        at = Math.min(nul + 1, end);
        return text.readTextToEnd(limit);
    }

    /** A copy of the bytes that are left; may be empty. */
    public byte[] readToEnd() {
        byte[] rest = Arrays.copyOfRange(bytes, at, end);
        at = end;
        return rest;
    }

    /** Reads text to the end, of which only so many bytes count; if there are more, it ends with an ellipsis in place of the others. */
    String readTextToEnd(int limit) {
        int length = Math.min(end - at, limit);
        boolean isWhole = length == end - at;
        while (!isWhole && length > 0 && (bytes[at + length] & 0xC0) == 0x80) {
            length--; // a character is not cut
        }
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at = end;
        return isWhole ? text : text + "…";
    }

    /**
     * Passes over the next bytes.
     *
     * @param length 0 or more
     * @throws MalformedPacketException if less is left
     */
    public void skip(long length) throws MalformedPacketException {
        need(length);
        at += (int) length;
    }

    private void need(long length) throws MalformedPacketException {
        if (length > end - at) {
            throw new MalformedPacketException("packet is cut short: a field of %d bytes starts %d bytes before the end"
                    .formatted(length, end - at));
        }
    }
}
