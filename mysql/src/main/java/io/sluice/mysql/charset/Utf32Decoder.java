package io.sluice.mysql.charset;

import io.sluice.protocol.bytes.ByteWriter;

/** Decodes {@code utf32}: four bytes per character, big-endian. */
final class Utf32Decoder implements TextDecoder {
    @Override
    public void decode(byte[] source, int offset, int length, ByteWriter utf8Out) {
        int end = offset + (length & ~3);
        for (int at = offset; at < end; at += 4) {
            int codePoint = source[at] << 24
                    | (source[at + 1] & 0xFF) << 16
                    | (source[at + 2] & 0xFF) << 8
                    | (source[at + 3] & 0xFF);
            Utf8.write(utf8Out, Character.isValidCodePoint(codePoint) ? codePoint : Utf8.REPLACEMENT);
        }
        if ((length & 3) != 0) {
            Utf8.write(utf8Out, Utf8.REPLACEMENT);
        }
    }

    @Override
    public boolean isUtf8() {
        return false;
    }
}
