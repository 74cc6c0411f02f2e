package io.sluice.format.value;

import java.sql.Types;

/** BIT(n): one to eight bytes, big-endian, written as an unsigned number. */
final class BitType extends BoundedType {
    private final int bytes;

    BitType(int bytes) {
        super(bytes, 0);
        this.bytes = bytes;
    }

    @Override
    public int put(byte[] image, int at, int length, byte[] target, int to) {
        return Digits.putUnsigned(target, to, Bytes.readBig(image, at, bytes));
    }

    @Override
    public int sqlType() {
        return Types.BIT;
    }
}
