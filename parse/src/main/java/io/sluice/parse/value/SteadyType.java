package io.sluice.parse.value;

import io.sluice.protocol.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * Another type, but with one {@code java.sql.Types} number for all of its values, NULL included: the one that fits the
 * largest.
 */
record SteadyType(ColumnType type) implements ColumnType {
    @Override
    public int length(byte[] image, int at, int end) {
        return type.length(image, at, end);
    }

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        type.writeText(image, at, length, out);
    }

    @Override
    public int sqlType() {
        return type.sqlTypeOfWide();
    }

    @Override
    public @Nullable JsonDifferences differences() {
        return type.differences();
    }

    @Override
    public boolean isPlain() {
        return type.isPlain();
    }
}
