package io.sluice.format.protobuf;

import io.sluice.format.row.MappedTable;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The fields of a table in protobuf. Immutable. */
final class ProtobufTable {
    private static final int TAG_SCHEMA_NAME = 0x42;
    private static final int TAG_TABLE_NAME = 0x4A;

    /** The header's fields {@code schemaName} and {@code tableName}. */
    final byte[] names;

    final ProtobufColumns columns;

    private ProtobufTable(MappedTable table) {
        this.names = names(table.schema(), table.table());
        this.columns = table.layout().prepared(ProtobufColumns.class, ProtobufColumns::new);
    }

    static ProtobufTable of(MappedTable table) {
        return table.prepared(ProtobufTable.class, ProtobufTable::new);
    }

    /** The header's fields of names, of which null is left out. */
    static byte[] names(@Nullable String schema, @Nullable String table) {
        ByteWriter out = new ByteWriter(64);
        writeText(out, TAG_SCHEMA_NAME, schema);
        writeText(out, TAG_TABLE_NAME, table);
        return out.toByteArray();
    }

    private static void writeText(ByteWriter out, int tag, @Nullable String text) {
        if (text != null) {
            ProtobufFields.writeString(out, tag, text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
