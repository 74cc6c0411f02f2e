package io.sluice.format.value;

import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import java.sql.Types;

/**
 * MySQL's VECTOR: a length, and as many bytes, four for each FLOAT.
 *
 * <p>Its text, {@code [1.0,2.5,-3.0]}, has the numbers as FLOAT columns have them, so that none loses digits, as it would in
 * the text of MySQL's {@code VECTOR_TO_STRING}. MySQL's {@code STRING_TO_VECTOR} reads it.
 */
final class VectorType extends ColumnType {
    private final int prefixLength;

    /** The type whose lengths take {@code prefixLength} bytes, 1 to 4. */
    VectorType(int prefixLength) {
        super(OWN_LENGTH, prefixLength);
        this.prefixLength = prefixLength;
    }

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        int bytes = length - prefixLength;
        if (bytes % Float.BYTES != 0) {
            throw new MalformedEventException("a vector of %d bytes, which are no whole numbers".formatted(bytes));
        }
        int from = at + prefixLength;
        out.writeByte('[');
        for (int i = 0; i < bytes; i += Float.BYTES) {
            if (i > 0) {
                out.writeByte(',');
            }
            FloatingType.writeFloat(Float.intBitsToFloat((int) Bytes.readLittle(image, from + i, Float.BYTES)), out);
        }
        out.writeByte(']');
    }

    @Override
    public int sqlType() {
        return Types.OTHER;
    }
}
