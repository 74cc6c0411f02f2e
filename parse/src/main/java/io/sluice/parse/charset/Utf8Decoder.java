package io.sluice.parse.charset;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;

/** {@code utf8mb4}, {@code utf8mb3} and {@code ascii}: the bytes as they are, if they are well-formed UTF-8. */
final class Utf8Decoder implements TextDecoder {
    @Override
    public void decode(byte[] source, int offset, int length, ByteWriter utf8Out) {
        if (isWellFormed(source, offset, offset + length)) {
            utf8Out.write(source, offset, length);
        } else {
            String repaired = new String(source, offset, length, StandardCharsets.UTF_8);
            utf8Out.write(repaired.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public boolean isUtf8() {
        return true;
    }

    static boolean isWellFormed(byte[] source, int from, int end) {
        int at = from + Utf8.asciiLength(source, from, end);
        while (at < end) {
            int length = sequenceLength(source, at, end);
            if (length == 0) {
                return false;
            }
            at += length;
            if (at < end && source[at] >= 0) {
                at += Utf8.asciiLength(source, at, end);
            }
        }
        return true;
    }

    /** The length of the sequence at {@code at}; 0 if it is not one. The second byte rules out overlong forms. */
    static int sequenceLength(byte[] source, int at, int end) {
        int lead = source[at] & 0xFF;
        if (lead < 0x80) {
            return 1;
        } else if (lead < 0xC2 || lead > 0xF4) {
            return 0;
        }
        int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (end - at < length) {
            return 0;
        }
        int second = source[at + 1] & 0xFF;
        int lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF; // no surrogates, nothing above U+10FFFF
        if (second < lowest || second > highest) {
            return 0;
        }
        for (int i = 2; i < length; i++) {
            if ((source[at + i] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return length;
    }
}
