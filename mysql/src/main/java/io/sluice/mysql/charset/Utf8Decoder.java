package io.sluice.mysql.charset;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;

/** Decodes {@code utf8mb4}, {@code utf8mb3} and {@code ascii}: copies the bytes, and replaces those that are not well-formed UTF-8. */
final class Utf8Decoder implements TextDecoder {
    @Override
    public void decode(byte[] source, int offset, int length, ByteWriter utf8Out) {
        if (Utf8Text.isWellFormed(source, offset, offset + length)) {
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
}
