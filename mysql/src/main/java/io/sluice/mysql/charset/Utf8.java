package io.sluice.mysql.charset;

import io.sluice.protocol.bytes.ByteWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Encodes code points as UTF-8. */
final class Utf8 {
    /** The replacement for an invalid sequence. */
    static final int REPLACEMENT = 0xFFFD;

    private static final int LONGEST = 4;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private Utf8() {}

    /** How many bytes from {@code from} on are ASCII. */
    static int asciiLength(byte[] source, int from, int end) {
        int at = from;
        while (at + Long.BYTES <= end) {
            long others = (long) LONG.get(source, at) & HIGH_BITS;
            if (others != 0) {
                return at + (Long.numberOfTrailingZeros(others) >>> 3) - from;
            }
            at += Long.BYTES;
        }
        while (at < end && source[at] >= 0) {
            at++;
        }
        return at - from;
    }

    /** Appends a code point; a lone surrogate becomes U+FFFD. */
    static void write(ByteWriter out, int codePoint) {
        out.ensure(LONGEST);
        byte[] target = out.array();
        int at = out.size();
        if (codePoint < 0x80) {
            target[at++] = (byte) codePoint;
        } else if (codePoint < 0x800) {
            target[at++] = (byte) (0xC0 | codePoint >> 6);
            target[at++] = continuation(codePoint);
        } else if (codePoint < 0x10000) {
            int bits = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE
                    ? REPLACEMENT
                    : codePoint;
            target[at++] = (byte) (0xE0 | bits >> 12);
            target[at++] = continuation(bits >> 6);
            target[at++] = continuation(bits);
        } else {
            target[at++] = (byte) (0xF0 | codePoint >> 18);
            target[at++] = continuation(codePoint >> 12);
            target[at++] = continuation(codePoint >> 6);
            target[at++] = continuation(codePoint);
        }
        out.setSize(at);
    }

    private static byte continuation(int bits) {
        return (byte) (0x80 | (bits & 0x3F));
    }
}
