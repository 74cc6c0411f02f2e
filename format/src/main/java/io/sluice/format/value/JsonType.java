package io.sluice.format.value;

import io.sluice.protocol.bytes.ByteWriter;
import java.sql.Types;

/** JSON: a length of four bytes, and a document in MySQL's binary form. */
final class JsonType extends ColumnType {
    private final int prefixLength;
    private final boolean exactDecimals;
    private final JsonDifferences differences;

    JsonType(int prefixLength, boolean exactDecimals) {
        super(OWN_LENGTH, prefixLength);
        this.prefixLength = prefixLength;
        this.exactDecimals = exactDecimals;
        this.differences = new JsonDifferences(prefixLength, exactDecimals);
    }

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        int from = at + prefixLength;
        new JsonDocument(image, from, at + length, exactDecimals).writeText(out);
    }

    @Override
    public int sqlType() {
        return Types.VARCHAR;
    }

    @Override
    public int sqlTypeOfNull() {
        return Types.OTHER;
    }

    @Override
    public boolean isPlain() {
        return false;
    }

    @Override
    public JsonDifferences differences() {
        return differences;
    }
}
