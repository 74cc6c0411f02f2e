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
    private static final int TAG_INDEX = 0x08;
    private static final int TAG_SQL_TYPE = 0x10;
    private static final int TAG_NAME = 0x1A;
    private static final int TAG_IS_KEY = 0x20;
    private static final int TAG_UPDATED = 0x28;
    private static final int TAG_MYSQL_TYPE = 0x52;

    final String name;
    final ColumnType type;
    final boolean key;

    /** Whether it is written at all. */
    final boolean delivered;

    /** The same column for values whose text is ready; itself if it never has any. */
    final MappedColumn rebuilt;

    /** From {@code index} to the tag of {@code updated}. */
    final byte[] prefix;

    final byte[] widePrefix;
    final byte[] nullPrefix;

    /** {@code mysqlType}. */
    final byte[] suffix;

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
