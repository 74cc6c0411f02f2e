package io.sluice.format.entry;

import io.sluice.format.value.ColumnType;
import io.sluice.protocol.bytes.ByteWriter;
import java.sql.Types;

/** The type of values whose text is ready in UTF-8; JSON, as only that is ever rebuilt. */
final class ReadyText extends ColumnType {
    static final ReadyText TYPE = new ReadyText();

    private ReadyText() {
        super(0, 0);
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
