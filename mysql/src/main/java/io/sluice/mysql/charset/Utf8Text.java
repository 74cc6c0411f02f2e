package io.sluice.mysql.charset;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Copies UTF-8 texts, as they are or with the {@linkplain JsonEscapes escapes} of a JSON string, eight bytes at a time, and validates them.
 * What is not well-formed becomes U+FFFD, as in Java.
 */
public final class Utf8Text {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private Utf8Text() {}

    /** Whether a text is well-formed. */
    static boolean isWellFormed(byte[] source, int from, int end) {
        int state = Utf8Automaton.BOUNDARY;
        int at = from;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            long eight = (long) LONG.get(source, at);
            if ((eight & HIGH_BITS | state) != 0) {
                state = Utf8Automaton.after(state, eight);
            }
        }
        if (at < end) {
            long eight = last(source, at, end);
            if ((eight & HIGH_BITS | state) != 0) {
                state = Utf8Automaton.after(state, eight);
            }
        }
        return state == Utf8Automaton.BOUNDARY;
    }

    /**
     * Copies a text.
     *
     * @param target has room for three bytes for each byte of the text, and eight more
     * @return where the copy ends
     */
    public static int put(byte[] source, int from, int end, byte[] target, int to) {
        int state = Utf8Automaton.BOUNDARY;
        int at = from;
        int put = to;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            long eight = (long) LONG.get(source, at);
            LONG.set(target, put, eight);
            if ((eight & HIGH_BITS | state) != 0) {
                state = Utf8Automaton.after(state, eight);
            }
            put += Long.BYTES;
        }
        if (at < end) {
            long eight = last(source, at, end);
            LONG.set(target, put, eight);
            if ((eight & HIGH_BITS | state) != 0) {
                state = Utf8Automaton.after(state, eight);
            }
        }
        return state == Utf8Automaton.BOUNDARY ? to + end - from : putRepaired(source, from, end, target, to);
    }

    private static int putRepaired(byte[] source, int from, int end, byte[] target, int to) {
        byte[] repaired = repaired(source, from, end);
        System.arraycopy(repaired, 0, target, to, repaired.length);
        return to + repaired.length;
    }

    private static byte[] repaired(byte[] source, int from, int end) {
        return new String(source, from, end - from, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Copies a text with escapes.
     *
     * @param target has room for six bytes for each byte of the text, and eight more
     * @return where the copy ends
     */
    public static int putJson(byte[] source, int from, int end, byte[] target, int to) {
        int state = Utf8Automaton.BOUNDARY;
        int at = from;
        int put = to;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            long eight = (long) LONG.get(source, at);
            if ((eight & HIGH_BITS | state) != 0) {
                state = Utf8Automaton.after(state, eight);
            }
            LONG.set(target, put, eight);
            long escapes = JsonEscapes.in(eight);
            put = escapes == 0 ? put + Long.BYTES : putEscaped(eight, Long.BYTES, escapes, target, put);
        }
        if (at < end) {
            long eight = last(source, at, end);
            if ((eight & HIGH_BITS | state) != 0) {
                state = Utf8Automaton.after(state, eight);
            }
            LONG.set(target, put, eight);
            long escapes = JsonEscapes.in(eight);
            put = escapes == 0 ? put + end - at : putEscaped(eight, end - at, escapes, target, put);
        }
        if (state != Utf8Automaton.BOUNDARY) {
            byte[] repaired = repaired(source, from, end);
            return putJson(repaired, 0, repaired.length, target, to);
        }
        return put;
    }

    /** Goes on where eight bytes were put, of which {@code count} are of the text, and some need an escape. */
    private static int putEscaped(long eight, int count, long firstEscapes, byte[] target, int to) {
        long rest = eight;
        int left = count;
        long escapes = firstEscapes;
        int put = to;
        do {
            int plain = Long.numberOfTrailingZeros(escapes) >>> 3;
            long from = rest >>> 8 * plain;
            put = JsonEscapes.put((byte) from, target, put + plain);
            left -= plain + 1;
            rest = from >>> 8 | JsonEscapes.BLANKS << 8 * left;
            LONG.set(target, put, rest);
            escapes = JsonEscapes.in(rest);
        } while (escapes != 0);
        return put + left;
    }

    /** The last bytes of a text, fewer than eight, padded with blanks. */
    private static long last(byte[] source, int at, int end) {
        int count = end - at;
        if (end >= Long.BYTES) {
            // The last of the eight bytes before the end.
            return (long) LONG.get(source, end - Long.BYTES) >>> 64 - 8 * count | JsonEscapes.BLANKS << 8 * count;
        }
        long eight = JsonEscapes.BLANKS;
        for (int i = end - 1; i >= at; i--) {
            eight = eight << 8 | source[i] & 0xFF;
        }
        return eight;
    }
}
