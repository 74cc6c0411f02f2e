package io.sluice.format.value;

import io.sluice.protocol.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * Another type, but with one {@code java.sql.Types} number for all of its values, NULL included: the one that fits the
 * largest.
 */
final class SteadyType extends ColumnType {
    private final ColumnType type;

    SteadyType(ColumnType type) {
        super(type.fixedLength(), type.prefixLength());
        this.type = type;
    }

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        type.writeText(image, at, length, out);
    }

    @Override
    public boolean isBounded() {
        return type.isBounded();
    }

    @Override
    public int put(byte[] image, int at, int length, byte[] target, int to) {
        return type.put(image, at, length, target, to);
    }

    @Override
    public int putJson(byte[] image, int at, int length, byte[] target, int to) {
        return type.putJson(image, at, length, target, to);
    }

    @Override
    public int sqlType() {
        return type.sqlTypeOfWide();
    }

    @Override
    public @Nullable ValueDifferences differences() {
        return type.differences();
    }

    @Override
    public boolean isCompressed() {
        return type.isCompressed();
    }

    @Override
    public long unpackedBytes(byte[] image, int at, int length) {
        return type.unpackedBytes(image, at, length);
    }

    @Override
    public boolean isSameValue(byte[] image, int at, int length, int otherAt, int otherLength) {
        return type.isSameValue(image, at, length, otherAt, otherLength);
    }

    @Override
    public boolean isPlain() {
        return type.isPlain();
    }
}
