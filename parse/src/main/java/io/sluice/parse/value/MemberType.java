package io.sluice.parse.value;

import io.sluice.protocol.bytes.ByteWriter;
import java.sql.Types;

/** ENUM, as the number of its member from 1, and SET, as a mask of its members; one to eight bytes. */
final class MemberType implements ColumnType {
    private final int bytes;
    private final int sqlType;
    private final int sqlTypeOfNull;

    private MemberType(int bytes, int sqlType, int sqlTypeOfNull) {
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
    public int length(byte[] image, int at, int end) {
        return bytes;
    }

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        Digits.writeUnsigned(out, Bytes.readLittle(image, at, bytes));
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
