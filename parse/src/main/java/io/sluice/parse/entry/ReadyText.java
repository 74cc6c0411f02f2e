package io.sluice.parse.entry;

import io.sluice.parse.value.ColumnType;
import io.sluice.protocol.bytes.ByteWriter;
import java.sql.Types;

/** The type of values whose text is ready in UTF-8; JSON, as only that is ever rebuilt. */
enum ReadyText implements ColumnType {
    TYPE;

    @Override
    public int length(byte[] image, int at, int end) {
        return end - at;
    }

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        out.write(image, at, length);
    }

    @Override
    public int sqlType() {
        return Types.VARCHAR;
    }

    @Override
    public boolean isPlain() {
        return false;
    }
}
