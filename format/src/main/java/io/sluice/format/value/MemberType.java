package io.sluice.format.value;

import java.sql.Types;

/** ENUM, as the number of its member from 1, and SET, as a mask of its members; one to eight bytes. */
final class MemberType extends BoundedType {
    private final int bytes;
    private final int sqlType;
    private final int sqlTypeOfNull;

    private MemberType(int bytes, int sqlType, int sqlTypeOfNull) {
        super(bytes, 0);
        this.bytes = bytes;
        this.sqlType = sqlType;
        this.sqlTypeOfNull = sqlTypeOfNull;
    }

    static MemberType ofEnum(int bytes) {
        return new MemberType(bytes, Types.INTEGER, Types.INTEGER);
    }

    static MemberType ofSet(int bytes) {
        return new MemberType(bytes, Types.BIT, Types.BLOB);
    }

    @Override
    public int put(byte[] image, int at, int length, byte[] target, int to) {
        return Digits.putUnsigned(target, to, Bytes.readLittle(image, at, bytes));
    }

    @Override
    public int sqlType() {
        return sqlType;
    }

    @Override
    public int sqlTypeOfNull() {
        return sqlTypeOfNull;
    }
}
