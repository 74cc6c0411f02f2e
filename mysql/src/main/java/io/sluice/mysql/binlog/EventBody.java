package io.sluice.mysql.binlog;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the body of one event from front to back, never beyond its end.
 *
 * <p>Numbers are little-endian, as everywhere in the binlog. Every method throws {@link MalformedEventException} where
 * fewer bytes are left than it needs. For one thread.
 */
public final class EventBody {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final int end;
    private int at;

    /**
     * Opens a run of bytes.
     *
     * @param bytes the array that holds the body; not copied
     * @param from where the body starts
     * @param end where it ends, exclusive
     */
    public EventBody(byte[] bytes, int from, int end) {
        if (from < 0 || end < from || end > bytes.length) {
            throw new MalformedEventException(
                    "an event body from %d to %d is outside its %d bytes".formatted(from, end, bytes.length));
        }
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** The array it reads from. */
    public byte[] array() {
        return bytes;
    }

    /** The offset in {@link #array()} of the next byte. */
    public int offset() {
        return at;
    }

    /** Where it ends in {@link #array()}, exclusive. */
    public int end() {
        return end;
    }

    /** How many bytes are left. */
    public int remaining() {
        return end - at;
    }

    /** Passes over {@code count} bytes. */
    public void skip(long count) {
        need(count);
        at += (int) count;
    }

    public int readByte() {
        need(1);
        return bytes[at++] & 0xFF;
    }

    public int readShort() {
        need(2);
        int value = (bytes[at] & 0xFF) | (bytes[at + 1] & 0xFF) << 8;
        at += 2;
        return value;
    }

    /** An unsigned number of four bytes. */
    public long readInt() {
        need(4);
        int value = (int) INT.get(bytes, at);
        at += 4;
        return value & 0xFFFF_FFFFL;
    }

    /** An unsigned number of six bytes. */
    public long readInt6() {
        return readNumber(6);
    }

    /** A number of eight bytes; above 2^63 it reads as negative. */
    public long readLong() {
        need(8);
        long value = (long) LONG.get(bytes, at);
        at += 8;
        return value;
    }

    private long readNumber(int length) {
        need(length);
        long value = 0;
        for (int i = length - 1; i >= 0; i--) {
            value = value << 8 | bytes[at + i] & 0xFF;
        }
        at += length;
        return value;
    }

    /**
     * A length-encoded integer of MySQL's protocol: one byte up to 250, else a marker and two, three or eight bytes.
     *
     * @throws MalformedEventException also for the markers of NULL (251) and of an error (255), and above 2^63
     */
    public long readPackedLong() {
        int first = readByte();
        long value = switch (first) {
            case 252 -> readShort();
            case 253 -> readNumber(3);
            case 254 -> readLong();
            case 251, 255 -> -1;
            default -> first;
        };
        if (value < 0) {
            throw new MalformedEventException("a packed length starts with " + first + " or is above 2^63");
        }
        return value;
    }

    /** {@code length} bytes as text. */
    public String readText(long length, Charset charset) {
        need(length);
        String text = new String(bytes, at, (int) length, charset);
        at += (int) length;
        return text;
    }

    /** All that is left, as ASCII. */
    public String readAsciiToEnd() {
        return readText(remaining(), StandardCharsets.US_ASCII);
    }

    /** The next {@code length} bytes as a body of their own, which are passed over here. */
    public EventBody slice(long length) {
        need(length);
        EventBody slice = new EventBody(bytes, at, at + (int) length);
        at += (int) length;
        return slice;
    }

    private void need(long count) {
        if (count < 0 || count > end - at) {
            throw tooShort(count);
        }
    }

    private MalformedEventException tooShort(long count) {
        return new MalformedEventException(
                "an event body ends where %d more bytes were expected, %d are left".formatted(count, end - at));
    }

    /** Whether all that is left is this. */
    public boolean is(byte[] expected) {
        return Arrays.equals(bytes, at, end, expected, 0, expected.length);
    }
}
