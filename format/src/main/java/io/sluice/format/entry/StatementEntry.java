package io.sluice.format.entry;

import io.sluice.format.value.Digits;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A statement as text: DDL, or what else the source logs as text. */
public final class StatementEntry extends BinlogEntry {
    private static final int TAG_SCHEMA_NAME = 0x42;
    private static final int TAG_TABLE_NAME = 0x4A;
    private static final int TAG_EVENT_TYPE = 0x10;
    private static final int TAG_IS_DDL = 0x50;
    private static final int TAG_SQL = 0x5A;
    private static final int TAG_PROPS = 0x6A;
    private static final int TAG_DDL_SCHEMA_NAME = 0x72;

    private final EventType type;
    private final @Nullable String schema;
    private final @Nullable String table;
    private final @Nullable Boolean ddl;
    private final String sql;
    private final String sessionSchema;
    private final @Nullable XaText xa;

    /** Makes an entry of an XA COMMIT or XA ROLLBACK. */
    public StatementEntry(Origin origin, EventType type, String sql, XaText xa) {
        this(origin, type, "", "", null, sql, "", xa);
    }

    /**
     * Makes an entry of a statement.
     *
     * @param origin where its event is
     * @param type what it does
     * @param schema the schema it is about; null leaves the field out
     * @param table the table it is about; null leaves the field out
     * @param ddl whether it is DDL; null leaves the field out, and reads as false
     * @param sql its whole text
     * @param sessionSchema the session's default schema; empty leaves the field out
     */
    public StatementEntry(
            Origin origin,
            EventType type,
            @Nullable String schema,
            @Nullable String table,
            @Nullable Boolean ddl,
            String sql,
            String sessionSchema) {
        this(origin, type, schema, table, ddl, sql, sessionSchema, null);
    }

    private StatementEntry(
            Origin origin,
            EventType type,
            @Nullable String schema,
            @Nullable String table,
            @Nullable Boolean ddl,
            String sql,
            String sessionSchema,
            @Nullable XaText xa) {
        super(origin);
        this.xa = xa;
        this.type = type;
        this.schema = schema;
        this.table = table;
        this.ddl = ddl;
        this.sql = sql;
        this.sessionSchema = sessionSchema;
    }

    /** Whether it is DDL, and not a change of rows or what is known of one. */
    public boolean isDdl() {
        return Boolean.TRUE.equals(ddl);
    }

    @Override
    public EntryKind kind() {
        return switch (type) {
            case CREATE, ALTER, ERASE, TRUNCATE, RENAME, CINDEX, DINDEX -> EntryKind.DDL;
            default -> EntryKind.STATEMENT;
        };
    }

    @Override
    public EventType eventType() {
        return type;
    }

    @Override
    public String schemaName() {
        return schema == null ? "" : schema;
    }

    @Override
    public String tableName() {
        return table == null ? "" : table;
    }

    @Override
    public int rowCount() {
        return 0;
    }

    @Override
    EntryType entryType() {
        return EntryType.ROWDATA;
    }

    @Override
    byte[] names() {
        ByteWriter out = new ByteWriter(64);
        if (schema != null) {
            ProtobufFields.writeString(out, TAG_SCHEMA_NAME, schema.getBytes(StandardCharsets.UTF_8));
        }
        if (table != null) {
            ProtobufFields.writeString(out, TAG_TABLE_NAME, table.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    @Override
    int writeStoreValue(ByteWriter out, RowsProtobuf rows) {
        ProtobufFields.writeNumber(out, TAG_EVENT_TYPE, type.getNumber());
        if (ddl != null) {
            ProtobufFields.writeNumber(out, TAG_IS_DDL, ddl ? 1 : 0);
        }
        ProtobufFields.writeString(out, TAG_SQL, sql.getBytes(StandardCharsets.UTF_8));
        if (xa != null) {
            xa.writeProps(out, TAG_PROPS);
        }
        if (!sessionSchema.isEmpty()) {
            ProtobufFields.writeString(out, TAG_DDL_SCHEMA_NAME, sessionSchema.getBytes(StandardCharsets.UTF_8));
        }
        return 0;
    }

    @Override
    int sourceBytes() {
        return 2 * sql.length();
    }

    @Override
    public boolean writeFlat(ByteWriter out, long batchId, long builtAtMillis) {
        out.writeAscii("{\"data\":null,\"database\":");
        JsonString.write(out, schemaName());
        FlatFields.writeTimeAndBatch(out, origin(), batchId);
        out.writeAscii(isDdl() ? "true" : "false");
        out.writeAscii(",\"mysqlType\":null,\"old\":null,\"pkNames\":null,\"sql\":");
        JsonString.write(out, sql);
        out.writeAscii(",\"sqlType\":null,\"table\":");
        JsonString.write(out, tableName());
        out.writeAscii(",\"ts\":");
        Digits.writeLong(out, builtAtMillis);
        out.writeAscii(",\"type\":\"");
        out.writeAscii(type.name());
        out.writeAscii("\"}");
        return true;
    }
}
