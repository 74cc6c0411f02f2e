package io.sluice.protocol.bytes;

import java.util.Arrays;

/**
 * A growing array of bytes that encoders write into and reuse.
 *
 * <p>{@link #array()} is the live array: it is replaced when the writer grows, so ask for it again after every write. For
 * one thread at a time.
 */
public final class ByteWriter {
    /** The largest array that every JVM can make. */
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    /** From here on it grows by a quarter: twice the size of something large is more than a heap may have. */
    private static final int LARGE = 1 << 22;

    private byte[] bytes;
    private int size;
    private int limit = LARGEST_ARRAY;

    /**
     * Makes an empty writer.
     *
     * @param initialCapacity bytes to hold before it grows; at least 1
     */
    public ByteWriter(int initialCapacity) {
        if (initialCapacity < 1) {
            throw new IllegalArgumentException("initial capacity is less than 1: " + initialCapacity);
        }
        this.bytes = new byte[initialCapacity];
    }

    /** The live array; bytes 0 to {@link #size()} (exclusive) are what was written. */
    public byte[] array() {
        return bytes;
    }

    /** How many bytes were written. */
    public int size() {
        return size;
    }

    /** Forgets all bytes from {@code newSize} on; also moves the end forward over bytes that were written in place. */
    public void setSize(int newSize) {
        if (newSize < 0 || newSize > bytes.length) {
            throw outside(newSize);
        }
        size = newSize;
    }

    /**
     * Sets up to which size it grows; until then it grows to any size.
     *
     * @param bytes how long the array becomes at most; one that is longer already stays as it is
     */
    public void limitTo(int bytes) {
        limit = Math.min(bytes, LARGEST_ARRAY);
    }

    /** Up to which size it grows. */
    public int limit() {
        return limit;
    }

    private IllegalArgumentException outside(int newSize) {
        return new IllegalArgumentException("size %d is outside 0..%d".formatted(newSize, bytes.length));
    }

    /** Forgets all that was written, and keeps the array. */
    public void clear() {
        size = 0;
    }

    /** A copy of what was written. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /**
     * Makes room for {@code more} bytes after the end, so that they may be written into {@link #array()} directly.
     *
     * @throws TooManyBytesException if its limit does not allow it
     */
    public void ensure(int more) {
        if (bytes.length - size < more) {
            grow(more);
        }
    }

    /**
     * Makes room for {@code more} bytes as {@link #ensure} does, unless the limit does not allow it: for callers that manage with less.
     *
     * @return whether there is room; false if its limit does not allow it, and nothing has changed then
     */
    public boolean tryEnsure(int more) {
        if (bytes.length - size < more) {
            if ((long) size + more > limit) {
                return false;
            }
            grow(more);
        }
        return true;
    }

    private void grow(int more) {
        long needed = (long) size + more;
        if (needed > limit) {
            throw new TooManyBytesException(needed, limit);
        }
        long grown = bytes.length < LARGE ? 2L * bytes.length : bytes.length + (long) bytes.length / 4;
        bytes = Arrays.copyOf(bytes, (int) Math.min(Math.max(needed, grown), limit));
    }

    /** Writes one byte, the low eight bits of {@code value}. */
    public void writeByte(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    /** Writes all of {@code source}. */
    public void write(byte[] source) {
        write(source, 0, source.length);
    }

    /** Writes {@code length} bytes of {@code source} from {@code offset} on. */
    public void write(byte[] source, int offset, int length) {
        ensure(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
    }

    /** Writes text of ASCII characters only. */
    @SuppressWarnings("deprecation") // getBytes(int, int, byte[], int) is the one copy without an array between
    public void writeAscii(String ascii) {
        int length = ascii.length();
        ensure(length);
        ascii.getBytes(0, length, bytes, size);
        size += length;
    }

    /** Writes {@code value} as a protobuf varint: seven bits a byte, low bits first, as an unsigned number. */
    public void writeVarint(long value) {
        ensure(10);
        size = putVarint(bytes, size, value);
    }

    /**
     * Puts {@code value} as a protobuf varint into {@code target}.
     *
     * @return the offset after it
     */
    public static int putVarint(byte[] target, int offset, long value) {
        int at = offset;
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            target[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        target[at++] = (byte) rest;
        return at;
    }

    /** How many bytes the protobuf varint of {@code value} takes: 1 to 10. */
    public static int varintLength(long value) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
        return 9 * bits + 64 >>> 6; // a seventh of them, rounded up, as far as to 64
    }
}
