package io.sluice.format.value;

import io.sluice.protocol.bytes.ByteWriter;
import java.sql.Types;
import java.util.Arrays;

/** JSON: a length of four bytes, and a document in MySQL's binary form. */
final class JsonType extends ColumnType {
    private final int prefixLength;
    private final JsonForm form;
    private final JsonDifferences differences;

    JsonType(int prefixLength, JsonForm form) {
        super(OWN_LENGTH, prefixLength);
        this.prefixLength = prefixLength;
        this.form = form;
        this.differences = new JsonDifferences(prefixLength, form);
    }

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        int from = at + prefixLength;
        new JsonDocument(image, from, at + length, form).writeText(out);
    }

    /** The same document may have other bytes, after an update in place; and another one the same text, where that loses bytes. */
    @Override
    public boolean isSameValue(byte[] image, int at, int length, int otherAt, int otherLength) {
        if (form.equals(JsonForm.EXACT)) {
            return true;
        }
        ByteWriter texts = new ByteWriter(length + otherLength);
        new JsonDocument(image, at + prefixLength, at + length, JsonForm.EXACT).writeText(texts);
        int end = texts.size();
        new JsonDocument(image, otherAt + prefixLength, otherAt + otherLength, JsonForm.EXACT).writeText(texts);
        return Arrays.equals(texts.array(), 0, end, texts.array(), end, texts.size());
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
