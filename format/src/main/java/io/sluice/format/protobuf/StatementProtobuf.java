package io.sluice.format.protobuf;

import io.sluice.format.entry.StatementEntry;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;

/** Writes a statement as a protobuf {@code RowChange}. */
final class StatementProtobuf {
    private static final int TAG_EVENT_TYPE = 0x10;
    private static final int TAG_IS_DDL = 0x50;
    private static final int TAG_SQL = 0x5A;
    private static final int TAG_PROPS = 0x6A;
    private static final int TAG_DDL_SCHEMA_NAME = 0x72;

    private StatementProtobuf() {}

    static void write(StatementEntry entry, ByteWriter out) {
        ProtobufFields.writeNumber(out, TAG_EVENT_TYPE, entry.eventType().getNumber());
        Boolean ddl = entry.ddl();
        if (ddl != null) {
            ProtobufFields.writeNumber(out, TAG_IS_DDL, ddl ? 1 : 0);
        }
        ProtobufFields.writeString(out, TAG_SQL, entry.sql().getBytes(StandardCharsets.UTF_8));
        ProtobufFields.writeXa(out, TAG_PROPS, entry.xa());
        if (!entry.sessionSchema().isEmpty()) {
            ProtobufFields.writeString(
                    out, TAG_DDL_SCHEMA_NAME, entry.sessionSchema().getBytes(StandardCharsets.UTF_8));
        }
    }
}
