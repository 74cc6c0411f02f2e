package io.sluice.format.value;

import io.sluice.protocol.bytes.ByteWriter;

/** A type whose values limit the length of their texts; those of one that does not override {@link #writeText} are short. */
abstract class BoundedType extends ColumnType {
    BoundedType(int fixedLength, int prefixLength) {
        super(fixedLength, prefixLength);
    }

    @Override
    public final boolean isBounded() {
        return true;
    }

    @Override
    public abstract int put(byte[] image, int at, int length, byte[] target, int to);

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        out.ensure(3 * length + ROOM);
        out.setSize(put(image, at, length, out.array(), out.size()));
    }
}
