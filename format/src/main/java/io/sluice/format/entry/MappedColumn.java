package io.sluice.format.entry;

import io.sluice.format.value.ColumnType;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;

/**
 * One column of a row layout, with all of its output that does not depend on the value as ready bytes.
 *
 * <p>A protobuf {@code Column} is: index, {@code sqlType}, name, {@code isKey}, {@code updated}, {@code isNull}, {@code
 * value}, {@code mysqlType}. One of an image after has another tag than one of an image before, and is {@code updated} unless it has
 * the same value there. Immutable.
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

    /** How many bytes of a head are in front of {@code index}, and after the tag of {@code updated}. */
    static final int PREFIX_AT = 2;

    static final int AFTER_PREFIX = 5;

    /** An object of this class, roughly. */
    private static final int OBJECT_BYTES = 96;

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

    /** The whole column of an image before up to its value, with a byte each for its length and the value's. */
    final byte[] beforeHead;

    /** The same for values with another {@code sqlType}. */
    final byte[] wideBeforeHead;

    /** The same of an image after. */
    final byte[] afterHead;

    final byte[] wideAfterHead;

    /** The whole column of an image before where it is NULL, and where {@code updated} is in that. */
    final byte[] nullColumn;

    final int nullUpdatedAt;

    /** {@code mysqlType}, in both forms. */
    final TypeTexts typeTexts;

    /** {@code ,"name":"}, which a value follows. */
    final byte[] jsonStart;

    MappedColumn(int index, MappedTable.Column column, TypeTexts typeTexts) {
        this(index, column.name(), column.key(), column.type(), column.delivered(), typeTexts);
    }

    private MappedColumn(int index, String name, boolean key, ColumnType type, boolean delivered, TypeTexts typeTexts) {
        this.name = name;
        this.type = type;
        this.key = key;
        this.delivered = delivered;
        this.typeTexts = typeTexts;
        this.rebuilt = type.differences() == null
                ? this
                : new MappedColumn(index, name, key, ReadyText.TYPE, delivered, typeTexts);
        this.fixedLength = type.fixedLength();
        this.prefixLength = type.prefixLength();
        this.bounded = type.isBounded();
        this.sqlType = type.sqlType();
        this.sqlTypeOfNull = type.sqlTypeOfNull();
        this.mayBeWide = type.sqlTypeOfWide() != sqlType;
        ByteWriter out = new ByteWriter(64);
        this.beforeHead = head(out, TAG_BEFORE_COLUMNS, index, sqlType, 0);
        this.afterHead = head(out, TAG_AFTER_COLUMNS, index, sqlType, 1);
        int wide = type.sqlTypeOfWide();
        this.wideBeforeHead = mayBeWide ? head(out, TAG_BEFORE_COLUMNS, index, wide, 0) : beforeHead;
        this.wideAfterHead = mayBeWide ? head(out, TAG_AFTER_COLUMNS, index, wide, 1) : afterHead;
        out.clear();
        writePrefix(out, index, sqlTypeOfNull);
        byte[] prefix = out.toByteArray();
        out.clear();
        out.writeByte(TAG_BEFORE_COLUMNS);
        out.writeVarint(prefix.length + 3L + typeTexts.protobuf().length);
        out.write(prefix);
        this.nullUpdatedAt = out.size();
        out.writeByte(0);
        out.writeByte(TAG_IS_NULL);
        out.writeByte(1);
        out.write(typeTexts.protobuf());
        this.nullColumn = out.toByteArray();
        out.clear();
        out.writeByte(',');
        out.write(JsonString.bytesOf(name));
        out.writeAscii(":\"");
        this.jsonStart = out.toByteArray();
    }

    private byte[] head(ByteWriter out, int tag, int index, int itsSqlType, int updated) {
        out.clear();
        out.writeByte(tag);
        out.writeByte(0);
        writePrefix(out, index, itsSqlType);
        out.writeByte(updated);
        out.writeByte(TAG_IS_NULL);
        out.writeByte(0);
        out.writeByte(TAG_VALUE);
        out.writeByte(0);
        return out.toByteArray();
    }

    /** From {@code index} to the tag of {@code updated}. */
    private void writePrefix(ByteWriter out, int index, int itsSqlType) {
        ProtobufFields.writeNumber(out, TAG_INDEX, index);
        ProtobufFields.writeNumber(out, TAG_SQL_TYPE, itsSqlType);
        ProtobufFields.writeString(out, TAG_NAME, name.getBytes(StandardCharsets.UTF_8));
        ProtobufFields.writeNumber(out, TAG_IS_KEY, key ? 1 : 0);
        out.writeByte(TAG_UPDATED);
    }

    /** How much longer it may be in protobuf than three times its value. */
    int protobufRoom() {
        return Math.max(afterHead.length, wideAfterHead.length) + nullColumn.length + ColumnType.ROOM;
    }

    /** How much longer it may be in JSON than six times its value. */
    int jsonRoom() {
        return 2 * jsonStart.length + RowsFlat.NULL.length + ColumnType.ROOM;
    }

    /** Appends {@code ,"name":}. */
    void writeJsonKey(ByteWriter out) {
        out.write(jsonStart, 0, jsonStart.length - 1);
    }

    /** Appends {@code "name"}. */
    void writeJsonName(ByteWriter out) {
        out.write(jsonStart, 1, jsonStart.length - 3);
    }

    /** How much memory it takes, roughly, with the texts of its type. */
    int heapBytes() {
        int bytes = OBJECT_BYTES
                + 2 * HeapBytes.of(afterHead)
                + HeapBytes.of(nullColumn)
                + HeapBytes.of(jsonStart)
                + typeTexts.heapBytes();
        bytes += mayBeWide ? 2 * HeapBytes.of(wideAfterHead) : 0;
        return rebuilt == this ? bytes : 2 * bytes;
    }
}
