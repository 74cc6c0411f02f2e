package io.sluice.parse.value;

import io.sluice.parse.charset.TextDecoder;
import io.sluice.parse.charset.Utf8Text;
import io.sluice.protocol.bytes.ByteWriter;

/** Texts whose character set is UTF-8, or a part of it: a length of one to four bytes, and as many bytes. */
final class Utf8Type extends BoundedType {
    private final int prefixLength;
    private final int sqlType;
    private final TextDecoder decoder;

    /**
     * Makes the type.
     *
     * @param prefixLength how many bytes the length takes, 1 to 4
     * @param sqlType the {@code java.sql.Types} number
     * @param decoder of such a character set, for texts of any length
     */
    Utf8Type(int prefixLength, int sqlType, TextDecoder decoder) {
        super(OWN_LENGTH, prefixLength);
        this.prefixLength = prefixLength;
        this.sqlType = sqlType;
        this.decoder = decoder;
    }

    @Override
    public int put(byte[] image, int at, int length, byte[] target, int to) {
        return Utf8Text.put(image, at + prefixLength, at + length, target, to);
    }

    @Override
    public int putJson(byte[] image, int at, int length, byte[] target, int to) {
        return Utf8Text.putJson(image, at + prefixLength, at + length, target, to);
    }

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        decoder.decode(image, at + prefixLength, length - prefixLength, out);
    }

    @Override
    public int sqlType() {
        return sqlType;
    }

    @Override
    public boolean isPlain() {
        return false;
    }
}
