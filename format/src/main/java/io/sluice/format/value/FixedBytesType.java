package io.sluice.format.value;

import io.sluice.mysql.charset.TextDecoder;
import io.sluice.protocol.bytes.ByteWriter;
import java.util.Arrays;

/**
 * {@code BINARY(n)} with all of its n bytes: the server leaves the zero bytes at the end of a value out of row images, and they
 * are appended here. {@code CHAR(n) CHARACTER SET binary} is the same type.
 */
final class FixedBytesType extends TextType {
    private final int bytes;

    /**
     * Makes the type.
     *
     * @param bytes n
     * @param sqlType the {@code java.sql.Types} number
     * @param decoder from bytes to UTF-8; a zero byte becomes one of U+0000
     */
    FixedBytesType(int bytes, int sqlType, TextDecoder decoder) {
        super(bytes > 255 ? 2 : 1, sqlType, decoder);
        this.bytes = bytes;
    }

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        super.writeText(image, at, length, out);
        int missing = bytes - (length - prefixLength());
        if (missing > 0) {
            out.ensure(missing);
            int end = out.size();
            Arrays.fill(out.array(), end, end + missing, (byte) 0);
            out.setSize(end + missing);
        }
    }
}
