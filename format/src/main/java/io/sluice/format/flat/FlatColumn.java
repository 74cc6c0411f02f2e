package io.sluice.format.flat;

import io.sluice.format.row.MappedColumn;
import io.sluice.format.value.ColumnType;
import io.sluice.format.value.JsonText;
import io.sluice.protocol.bytes.ByteWriter;

/** A column with all of its flat JSON that does not depend on the value as ready bytes. Immutable. */
final class FlatColumn {
    /** How much a NULL takes. */
    private static final int NULL_BYTES = 4;

    final ColumnType type;

    /** Whether it is in the primary key. */
    final boolean key;

    /** Whether it is written at all. */
    final boolean delivered;

    /** Whether the length of its texts is limited. */
    final boolean bounded;

    /** Whether it may have values with another {@code sqlType}; not so for nearly all. */
    final boolean mayBeWide;

    final int sqlType;
    final int sqlTypeOfNull;

    /** {@code ,"name":"}, which a value follows. */
    final byte[] start;

    /** {@code mysqlType}, a string. */
    final byte[] mysqlType;

    FlatColumn(MappedColumn column) {
        this.type = column.type();
        this.key = column.isKey();
        this.delivered = column.isDelivered();
        this.bounded = type.isBounded();
        this.sqlType = type.sqlType();
        this.sqlTypeOfNull = type.sqlTypeOfNull();
        this.mayBeWide = type.sqlTypeOfWide() != sqlType;
        this.mysqlType = JsonText.stringOf(column.mysqlType());
        ByteWriter out = new ByteWriter(64);
        out.writeByte(',');
        JsonText.writeString(out, column.name());
        out.writeAscii(":\"");
        this.start = out.toByteArray();
    }

    /** How much longer it may be than six times its value. */
    int room() {
        return 2 * start.length + NULL_BYTES + ColumnType.ROOM;
    }

    /** Appends {@code ,"name":}. */
    void writeKey(ByteWriter out) {
        out.write(start, 0, start.length - 1);
    }

    /** Appends {@code "name"}. */
    void writeName(ByteWriter out) {
        out.write(start, 1, start.length - 3);
    }
}
