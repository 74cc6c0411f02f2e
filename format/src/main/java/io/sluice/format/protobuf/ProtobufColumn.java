package io.sluice.format.protobuf;

import io.sluice.format.row.MappedColumn;
import io.sluice.format.value.ColumnType;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;

/**
 * A column with all of its protobuf message that does not depend on the value as ready bytes.
 *
 * <p>A protobuf {@code Column} is: index, {@code sqlType}, name, {@code isKey}, {@code updated}, {@code isNull}, {@code
 * value}, {@code mysqlType}. One of an image after has another tag than one of an image before, and is {@code updated} unless it has
 * the same value there. Immutable.
 */
final class ProtobufColumn {
    static final int TAG_BEFORE_COLUMNS = 0x0A;
    static final int TAG_AFTER_COLUMNS = 0x12;
    private static final int TAG_INDEX = 0x08;
    private static final int TAG_SQL_TYPE = 0x10;
    private static final int TAG_NAME = 0x1A;
    private static final int TAG_IS_KEY = 0x20;
    private static final int TAG_UPDATED = 0x28;
    static final int TAG_IS_NULL = 0x30;
    static final int TAG_VALUE = 0x42;
    private static final int TAG_MYSQL_TYPE = 0x52;

    /** How many bytes of a head are in front of {@code index}, and after the tag of {@code updated}. */
    static final int PREFIX_AT = 2;

    static final int AFTER_PREFIX = 5;

    final ColumnType type;

    /** Whether the length of its texts is limited. */
    final boolean bounded;

    /** Whether it may have values with another {@code sqlType}; not so for nearly all. */
    final boolean mayBeWide;

    /** The whole column of an image before up to its value, with a byte each for its length and the value's. */
    final byte[] beforeHead;

    /** {@link #beforeHead} for values with another {@code sqlType}. */
    final byte[] wideBeforeHead;

    /** The whole column of an image after up to its value; {@link #wideAfterHead} for values with another {@code sqlType}. */
    final byte[] afterHead;

    final byte[] wideAfterHead;

    /** The field {@code mysqlType}, which follows the value. */
    final byte[] suffix;

    /** The whole column of an image before where it is NULL, and where {@code updated} is in that. */
    final byte[] nullColumn;

    final int nullUpdatedAt;

    /**
     * Prepares a column.
     *
     * @param index which one of its table it is, from 0
     */
    ProtobufColumn(int index, MappedColumn column) {
        this.type = column.type();
        this.bounded = type.isBounded();
        int sqlType = type.sqlType();
        int wide = type.sqlTypeOfWide();
        this.mayBeWide = wide != sqlType;
        ByteWriter out = new ByteWriter(64);
        ProtobufFields.writeString(out, TAG_MYSQL_TYPE, column.mysqlType().getBytes(StandardCharsets.UTF_8));
        this.suffix = out.toByteArray();
        byte[] prefix = prefix(out, index, column, sqlType);
        this.beforeHead = head(out, TAG_BEFORE_COLUMNS, prefix, 0);
        this.afterHead = head(out, TAG_AFTER_COLUMNS, prefix, 1);
        byte[] widePrefix = mayBeWide ? prefix(out, index, column, wide) : prefix;
        this.wideBeforeHead = mayBeWide ? head(out, TAG_BEFORE_COLUMNS, widePrefix, 0) : beforeHead;
        this.wideAfterHead = mayBeWide ? head(out, TAG_AFTER_COLUMNS, widePrefix, 1) : afterHead;
        byte[] nullPrefix = prefix(out, index, column, type.sqlTypeOfNull());
        out.clear();
        out.writeByte(TAG_BEFORE_COLUMNS);
        out.writeVarint(nullPrefix.length + 3L + suffix.length);
        out.write(nullPrefix);
        this.nullUpdatedAt = out.size();
        out.writeByte(0);
        out.writeByte(TAG_IS_NULL);
        out.writeByte(1);
        out.write(suffix);
        this.nullColumn = out.toByteArray();
    }

    private static byte[] head(ByteWriter out, int tag, byte[] prefix, int updated) {
        out.clear();
        out.writeByte(tag);
        out.writeByte(0);
        out.write(prefix);
        out.writeByte(updated);
        out.writeByte(TAG_IS_NULL);
        out.writeByte(0);
        out.writeByte(TAG_VALUE);
        out.writeByte(0);
        return out.toByteArray();
    }

    /** From {@code index} to the tag of {@code updated}. */
    private static byte[] prefix(ByteWriter out, int index, MappedColumn column, int sqlType) {
        out.clear();
        ProtobufFields.writeNumber(out, TAG_INDEX, index);
        ProtobufFields.writeNumber(out, TAG_SQL_TYPE, sqlType);
        ProtobufFields.writeString(out, TAG_NAME, column.name().getBytes(StandardCharsets.UTF_8));
        ProtobufFields.writeNumber(out, TAG_IS_KEY, column.isKey() ? 1 : 0);
        out.writeByte(TAG_UPDATED);
        return out.toByteArray();
    }

    /** How much longer it may be than three times its value. */
    int room() {
        return Math.max(afterHead.length, wideAfterHead.length) + nullColumn.length + ColumnType.ROOM;
    }
}
