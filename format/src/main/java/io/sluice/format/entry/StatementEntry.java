package io.sluice.format.entry;

import io.sluice.protocol.entry.EventType;
import org.jspecify.annotations.Nullable;

/** A statement as text: DDL, or what else the source logs as text. */
public final class StatementEntry extends BinlogEntry {
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

    /** The schema it is about; null if the field is left out. */
    public @Nullable String schema() {
        return schema;
    }

    /** The table it is about; null if the field is left out. */
    public @Nullable String table() {
        return table;
    }

    /** Whether it is DDL; null if the field is left out. */
    public @Nullable Boolean ddl() {
        return ddl;
    }

    /** Its whole text. */
    public String sql() {
        return sql;
    }

    /** The session's default schema; empty if the field is left out. */
    public String sessionSchema() {
        return sessionSchema;
    }

    /** What it is to an XA transaction; null if it is nothing. */
    public @Nullable XaText xa() {
        return xa;
    }

    @Override
    public int sourceBytes() {
        return 2 * sql.length();
    }
}
