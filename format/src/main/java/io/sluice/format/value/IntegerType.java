package io.sluice.format.value;

import java.sql.Types;

/** TINYINT to BIGINT: one to eight bytes, little-endian, two's complement unless unsigned. */
final class IntegerType extends BoundedType {
    private final int bytes;
    private final int shift;
    private final boolean unsigned;
    private final int sqlType;
    private final int sqlTypeOfWide;

    private IntegerType(int bytes, boolean unsigned, int sqlType, int sqlTypeOfWide) {
        super(bytes, 0);
        this.bytes = bytes;
        this.shift = 64 - 8 * bytes;
        this.unsigned = unsigned;
        this.sqlType = sqlType;
        this.sqlTypeOfWide = unsigned ? sqlTypeOfWide : sqlType;
    }

    /** The type of a number of 1, 2, 3, 4 or 8 bytes. */
    static IntegerType of(int bytes, boolean unsigned) {
        return switch (bytes) {
            case 1 -> new IntegerType(1, unsigned, Types.TINYINT, Types.SMALLINT);
            case 2 -> new IntegerType(2, unsigned, Types.SMALLINT, Types.INTEGER);
            case 3 -> new IntegerType(3, unsigned, Types.INTEGER, Types.INTEGER);
            case 4 -> new IntegerType(4, unsigned, Types.INTEGER, Types.BIGINT);
            case 8 -> new IntegerType(8, unsigned, Types.BIGINT, Types.DECIMAL);
            default -> throw new IllegalArgumentException("no integer type has " + bytes + " bytes");
        };
    }

    @Override
    public int put(byte[] image, int at, int length, byte[] target, int to) {
        long value = Bytes.readLittle(image, at, bytes);
        return unsigned
                ? Digits.putUnsigned(target, to, value)
                : Digits.putLong(
                        target, to, value << shift >> shift); // the shifts stretch the sign over the upper bytes
    }

    @Override
    public int sqlType() {
        return sqlType;
    }

    @Override
    public int sqlTypeOfWide() {
        return sqlTypeOfWide;
    }

    @Override
    public boolean isWide(byte[] image, int at) {
        return unsigned && image[at + bytes - 1] < 0;
    }
}
