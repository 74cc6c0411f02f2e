package io.sluice.parse.entry;

import io.sluice.protocol.bytes.ByteWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * JSON strings with the escapes that canal's flat messages have: quote and backslash, {@code \b \t \n \f \r}, other
 * controls below U+0020 as {@code \}{@code u00xx}; all else, DEL and U+2028 too, stands as it is.
 */
final class JsonString {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final long QUOTES = ONES * '"';
    private static final long BACKSLASHES = ONES * '\\';
    private static final long BLANKS = ONES * ' ';

    /** The character behind the backslash; 'u' where it takes a number, 0 where there is no escape. */
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

    private JsonString() {}

    /** Appends {@code text} in quotes. */
    static void write(ByteWriter out, String text) {
        out.writeByte('"');
        int from = out.size();
        out.write(text.getBytes(StandardCharsets.UTF_8));
        escapeFrom(out, from);
        out.writeByte('"');
    }

    /** The bytes of {@code text} in quotes. */
    static byte[] bytesOf(String text) {
        ByteWriter out = new ByteWriter(text.length() + 16);
        write(out, text);
        return out.toByteArray();
    }

    /** Escapes, in place, what was written from {@code from} on. */
    static void escapeFrom(ByteWriter out, int from) {
        int first = firstToEscape(out.array(), from, out.size());
        if (first < out.size()) {
            escapeRest(out, first);
        }
    }

    /** Where the first byte stands that needs an escape; {@code end} if none does. */
    private static int firstToEscape(byte[] bytes, int from, int end) {
        int at = from;
        while (at + Long.BYTES <= end) {
            long eight = (long) LONG.get(bytes, at);
            long quotes = eight ^ QUOTES;
            long backslashes = eight ^ BACKSLASHES;
            long hit =
                    (quotes - ONES & ~quotes | backslashes - ONES & ~backslashes | eight - BLANKS & ~eight) & HIGH_BITS;
            if (hit != 0) {
                break;
            }
            at += Long.BYTES;
        }
        while (at < end && ESCAPES[bytes[at] & 0xFF] == 0) {
            at++;
        }
        return at;
    }

    private static void escapeRest(ByteWriter out, int first) {
        int end = out.size();
        int more = 0;
        byte[] bytes = out.array();
        for (int i = first; i < end; i++) {
            byte escape = ESCAPES[bytes[i] & 0xFF];
            more = Math.addExact(more, escape == 0 ? 0 : escape == 'u' ? 5 : 1);
        }
        out.ensure(more);
        bytes = out.array();
        int to = end + more;
        out.setSize(to);
        for (int i = end - 1; i >= first; i--) {
            int octet = bytes[i] & 0xFF;
            byte escape = ESCAPES[octet];
            if (escape == 0) {
                bytes[--to] = (byte) octet;
            } else if (escape == 'u') {
                bytes[--to] = HEX[octet & 0xF];
                bytes[--to] = HEX[octet >> 4];
                bytes[--to] = '0';
                bytes[--to] = '0';
                bytes[--to] = 'u';
                bytes[--to] = '\\';
            } else {
                bytes[--to] = escape;
                bytes[--to] = '\\';
            }
        }
    }
}
