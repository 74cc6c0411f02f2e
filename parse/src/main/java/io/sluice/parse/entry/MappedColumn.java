package io.sluice.parse.entry;

import io.sluice.parse.value.ColumnType;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;

/**
 * One column of a mapped table, with all of its output that does not depend on the value as ready bytes.
 *
 * <p>A protobuf {@code Column} is: prefix, {@code updated}, {@code isNull}, {@code value}, suffix. Which prefix depends on
 * the value, since the {@code sqlType} in it does.
 */
final class MappedColumn {
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

    final String name;
    final ColumnType type;
    final boolean key;

    /** Whether it is written at all. */
    final boolean delivered;

    /** The same column for values whose text is ready; itself if it never has any. */
    final MappedColumn rebuilt;

    /** How many bytes each of its values takes; less than zero if it says that itself. */
    final int fixedLength;

    /** How many bytes of a value say its length; 0 if none do. */
    final int prefixLength;

    /** Whether the length of its texts is limited. */
    final boolean bounded;

    /** Whether it may have values with another {@code sqlType}; not so for nearly all. */
    final boolean mayBeWide;

    final int sqlType;
    final int sqlTypeOfNull;

    /** From {@code index} to the tag of {@code updated}. */
    final byte[] prefix;

    final byte[] widePrefix;
    final byte[] nullPrefix;

    /** The image after of an insert: the whole column up to its value, with a byte each for its length and the value's. */
    final byte[] afterHead;

    final byte[] wideAfterHead;

    /** The same of the image before. */
    final byte[] beforeHead;

    final byte[] wideBeforeHead;

    /** {@code mysqlType}. */
    final byte[] suffix;

    /** The whole column where it is NULL: before, and after where it was not. */
    final byte[] beforeNull;

    final byte[] afterNull;

    /** {@code ,"name":}. */
    final byte[] jsonKey;

    /** {@code ,"name":"}, behind which a value stands. */
    final byte[] jsonValueStart;

    /** {@code ,"name":null}. */
    final byte[] jsonNull;

    /** {@code "name"}. */
    final byte[] jsonName;

    /** {@code "int"}. */
    final byte[] jsonMysqlType;

    MappedColumn(int index, String name, String mysqlType, boolean key, ColumnType type, boolean delivered) {
        this.name = name;
        this.type = type;
        this.key = key;
        this.delivered = delivered;
        this.rebuilt = type.differences() == null
                ? this
                : new MappedColumn(index, name, mysqlType, key, ReadyText.TYPE, delivered);
        this.prefix = prefix(index, name, type.sqlType());
        this.widePrefix = prefix(index, name, type.sqlTypeOfWide());
        this.nullPrefix = prefix(index, name, type.sqlTypeOfNull());
        ByteWriter end = new ByteWriter(32);
        ProtobufFields.writeString(end, TAG_MYSQL_TYPE, mysqlType.getBytes(StandardCharsets.UTF_8));
        this.suffix = end.toByteArray();
        this.fixedLength = type.fixedLength();
        this.prefixLength = type.prefixLength();
        this.bounded = type.isBounded();
        this.sqlType = type.sqlType();
        this.sqlTypeOfNull = type.sqlTypeOfNull();
        this.mayBeWide = type.sqlTypeOfWide() != sqlType;
        this.afterHead = head(TAG_AFTER_COLUMNS, prefix, 1);
        this.wideAfterHead = head(TAG_AFTER_COLUMNS, widePrefix, 1);
        this.beforeHead = head(TAG_BEFORE_COLUMNS, prefix, 0);
        this.wideBeforeHead = head(TAG_BEFORE_COLUMNS, widePrefix, 0);
        this.beforeNull = ofNull(TAG_BEFORE_COLUMNS, 0);
        this.afterNull = ofNull(TAG_AFTER_COLUMNS, 1);
        this.jsonName = JsonString.bytesOf(name);
        ByteWriter member = new ByteWriter(32);
        member.writeByte(',');
        member.write(jsonName);
        member.writeByte(':');
        this.jsonKey = member.toByteArray();
        member.writeByte('"');
        this.jsonValueStart = member.toByteArray();
        member.setSize(jsonKey.length);
        member.writeAscii("null");
        this.jsonNull = member.toByteArray();
        this.jsonMysqlType = JsonString.bytesOf(mysqlType);
    }

    private static byte[] head(int tag, byte[] prefix, int updated) {
        ByteWriter out = new ByteWriter(64);
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

    private byte[] ofNull(int tag, int updated) {
        ByteWriter out = new ByteWriter(64);
        out.writeByte(tag);
        out.writeVarint(nullPrefix.length + 3L + suffix.length);
        out.write(nullPrefix);
        out.writeByte(updated);
        out.writeByte(TAG_IS_NULL);
        out.writeByte(1);
        out.write(suffix);
        return out.toByteArray();
    }

    /** How much longer it may be in protobuf than three times its value. */
    int protobufRoom() {
        return Math.max(afterHead.length, wideAfterHead.length) + afterNull.length + ColumnType.ROOM;
    }

    /** How much longer it may be in JSON than six times its value. */
    int jsonRoom() {
        return jsonValueStart.length + jsonNull.length + ColumnType.ROOM;
    }

    private byte[] prefix(int index, String name, int sqlType) {
        ByteWriter out = new ByteWriter(32);
        ProtobufFields.writeNumber(out, TAG_INDEX, index);
        ProtobufFields.writeNumber(out, TAG_SQL_TYPE, sqlType);
        ProtobufFields.writeString(out, TAG_NAME, name.getBytes(StandardCharsets.UTF_8));
        ProtobufFields.writeNumber(out, TAG_IS_KEY, key ? 1 : 0);
        out.writeByte(TAG_UPDATED);
        return out.toByteArray();
    }
}
