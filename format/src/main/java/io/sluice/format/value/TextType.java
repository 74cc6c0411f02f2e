package io.sluice.format.value;

import io.sluice.mysql.charset.TextDecoder;
import io.sluice.protocol.bytes.ByteWriter;

/** Texts and byte strings: a length of one to four bytes, and as many bytes in the column's character set. */
class TextType extends ColumnType {
    private final int sqlType;
    private final TextDecoder decoder;

    /**
     * Makes the type.
     *
     * @param prefixLength how many bytes the length takes, 1 to 4
     * @param sqlType the {@code java.sql.Types} number
     * @param decoder from the column's character set to UTF-8, for texts of any length
     */
    TextType(int prefixLength, int sqlType, TextDecoder decoder) {
        super(OWN_LENGTH, prefixLength);
        this.sqlType = sqlType;
        this.decoder = decoder;
    }

    /** From the column's character set to UTF-8. */
    final TextDecoder decoder() {
        return decoder;
    }

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        decoder.decode(image, at + prefixLength(), length - prefixLength(), out);
    }

    @Override
    public final int sqlType() {
        return sqlType;
    }

    @Override
    public final boolean isPlain() {
        return false;
    }
}
