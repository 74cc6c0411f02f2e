package io.sluice.mysql.charset;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The escapes that canal's flat messages have in JSON strings: quote and backslash, {@code \b \t \n \f \r}, other controls
 * below U+0020 as {@code \}{@code u00xx}; all else, DEL and U+2028 too, is as it is.
 */
public final class JsonEscapes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final long QUOTES = ONES * '"';
    private static final long BACKSLASHES = ONES * '\\';

    /** Eight characters that are not escaped. */
    static final long BLANKS = ONES * ' ';

    private static final int NUMBER_LENGTH = 6;

    /** The character after the backslash; 'u' for a numeric escape, 0 where there is no escape. */
    private static final byte[] ESCAPES = new byte[256];

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

    private JsonEscapes() {}

    /**
     * Where among eight bytes, the first of them lowest, one needs an escape.
     *
     * @return 0 if none does; else the lowest bit that is set is in the first that does, and bits above may be wrong
     */
    static long in(long eight) {
        long quotes = eight ^ QUOTES;
        long backslashes = eight ^ BACKSLASHES;
        return (quotes - ONES & ~quotes | backslashes - ONES & ~backslashes | eight - BLANKS & ~eight) & HIGH_BITS;
    }

    /** Where the first byte is that needs an escape; {@code end} if none does. */
    public static int first(byte[] utf8, int from, int end) {
        int at = from;
        while (at + Long.BYTES <= end) {
            long escapes = in((long) LONG.get(utf8, at));
            if (escapes != 0) {
                return at + (Long.numberOfTrailingZeros(escapes) >>> 3);
            }
            at += Long.BYTES;
        }
        while (at < end && ESCAPES[utf8[at] & 0xFF] == 0) {
            at++;
        }
        return at;
    }

    /** How many bytes a byte of a text becomes: 1, 2 or 6. */
    public static int length(byte octet) {
        byte escape = ESCAPES[octet & 0xFF];
        return escape == 0 ? 1 : escape == 'u' ? NUMBER_LENGTH : 2;
    }

    /**
     * Puts the escape of a character that needs one.
     *
     * @return where it ends
     */
    public static int put(byte character, byte[] target, int to) {
        byte escape = ESCAPES[character & 0xFF];
        target[to] = '\\';
        target[to + 1] = escape;
        if (escape != 'u') {
            return to + 2;
        }
        target[to + 2] = '0';
        target[to + 3] = '0';
        target[to + 4] = HEX[character >> 4 & 0xF];
        target[to + 5] = HEX[character & 0xF];
        return to + NUMBER_LENGTH;
    }
}
