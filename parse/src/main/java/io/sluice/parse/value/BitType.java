package io.sluice.parse.value;

import io.sluice.protocol.bytes.ByteWriter;
import java.sql.Types;

/** BIT(n): one to eight bytes, big-endian, written as an unsigned number. */
final class BitType implements ColumnType {
    private final int bytes;

    BitType(int bytes) {
        this.bytes = bytes;
    }

    @Override
    public int length(byte[] image, int at, int end) {
        return bytes;
    }

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        Digits.writeUnsigned(out, Bytes.readBig(image, at, bytes));
    }

    @Override
    public int sqlType() {
        return Types.BIT;
    }
}
