package io.sluice.mysql.charset;

import io.sluice.protocol.bytes.ByteWriter;

/** Decodes {@code utf16}, {@code ucs2} and {@code utf16le}: units of two bytes, no byte order mark. */
final class Utf16Decoder implements TextDecoder {
    private final int highByte;

    Utf16Decoder(boolean littleEndian) {
        highByte = littleEndian ? 1 : 0;
    }

    @Override
    public void decode(byte[] source, int offset, int length, ByteWriter utf8Out) {
        int end = offset + (length & ~1);
        for (int at = offset; at < end; at += 2) {
            char unit = unit(source, at);
            if (Character.isHighSurrogate(unit) && at + 2 < end && Character.isLowSurrogate(unit(source, at + 2))) {
                at += 2;
                Utf8.write(utf8Out, Character.toCodePoint(unit, unit(source, at)));
            } else {
                Utf8.write(utf8Out, unit);
            }
        }
        if ((length & 1) != 0) {
            Utf8.write(utf8Out, Utf8.REPLACEMENT);
        }
    }

    private char unit(byte[] source, int at) {
        return (char) ((source[at + highByte] & 0xFF) << 8 | (source[at + 1 - highByte] & 0xFF));
    }

    @Override
    public boolean isUtf8() {
        return false;
    }
}
