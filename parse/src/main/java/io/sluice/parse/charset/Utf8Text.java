package io.sluice.parse.charset;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Texts in UTF-8, copied as they are or with the escapes of a JSON string, checked on the way, and eight bytes at a time where
 * these are ASCII. What is not well-formed becomes U+FFFD, as in Java.
 *
 * <p>The escapes are those that canal's flat messages have: quote and backslash, {@code \b \t \n \f \r}, other controls below
 * U+0020 as {@code \}{@code u00xx}; all else, DEL and U+2028 too, stands as it is.
 */
public final class Utf8Text {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final long QUOTES = ONES * '"';
    private static final long BACKSLASHES = ONES * '\\';
    private static final long BLANKS = ONES * ' ';

    /** The character behind the backslash; 'u' where it takes a number, 0 where there is no escape. */
    private static final byte[] ESCAPES = new byte[128];

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    static {
        for (int i = 0; i < ' '; i++) {
            ESCAPES[i] = 'u';
        }
        ESCAPES['"'] = '"';
        ESCAPES['\\'] = '\\';
        ESCAPES['\b'] = 'b';
        ESCAPES['\t'] = 't';
        ESCAPES['\n'] = 'n';
        ESCAPES['\f'] = 'f';
        ESCAPES['\r'] = 'r';
    }

    private Utf8Text() {}

    /**
     * Copies a text.
     *
     * @param target has room for three bytes for each byte of the text
     * @return where the copy ends
     */
    public static int put(byte[] source, int from, int end, byte[] target, int to) {
        if (Utf8Decoder.isWellFormed(source, from, end)) {
            System.arraycopy(source, from, target, to, end - from);
            return to + end - from;
        }
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
        int at = from;
        int put = to;
        while (at < end) {
            long eight;
            int count = Math.min(end - at, Long.BYTES);
            if (count == Long.BYTES) {
                eight = (long) LONG.get(source, at);
            } else if (end >= Long.BYTES) {
                // The last of the eight bytes before the end, and blanks in place of what is behind them.
                eight = (long) LONG.get(source, end - Long.BYTES) >>> 64 - 8 * count | BLANKS << 8 * count;
            } else {
                eight = lastBytes(source, at, end);
            }
            long quotes = eight ^ QUOTES;
            long backslashes = eight ^ BACKSLASHES;
            // The lowest bit that is set here is in the first byte that does not stand as it is; bits above may be
            // wrong.
            long others =
                    (quotes - ONES & ~quotes | backslashes - ONES & ~backslashes | eight - BLANKS | eight) & HIGH_BITS;
            LONG.set(target, put, eight);
            if (others == 0) {
                at += count;
                put += count;
                continue;
            }
            int plain = Long.numberOfTrailingZeros(others) >>> 3;
            at += plain;
            put += plain;
            if (source[at] >= 0) {
                put = putEscape(source[at], target, put);
                at++;
                continue;
            }
            do {
                int length = Utf8Decoder.sequenceLength(source, at, end);
                if (length == 0) {
                    byte[] repaired = repaired(source, from, end);
                    return putJson(repaired, 0, repaired.length, target, to);
                }
                for (int i = 0; i < length; i++) {
                    target[put++] = source[at++];
                }
            } while (at < end && source[at] < 0);
        }
        return put;
    }

    private static long lastBytes(byte[] source, int at, int end) {
        long eight = BLANKS;
        for (int i = end - 1; i >= at; i--) {
            eight = eight << 8 | source[i] & 0xFF;
        }
        return eight;
    }

    private static int putEscape(byte character, byte[] target, int to) {
        byte escape = ESCAPES[character];
        target[to] = '\\';
        target[to + 1] = escape;
        if (escape != 'u') {
            return to + 2;
        }
        target[to + 2] = '0';
        target[to + 3] = '0';
        target[to + 4] = HEX[character >> 4];
        target[to + 5] = HEX[character & 0xF];
        return to + 6;
    }
}
