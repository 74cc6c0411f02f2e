package io.sluice.stream.reader;

import io.sluice.format.entry.StatementEntry;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.QueryEvent;
import io.sluice.mysql.charset.MySqlCharsets;
import io.sluice.mysql.charset.TextDecoder;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.schema.canal.RowStatement;
import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.canal.StatementHead;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.StatementApplier;
import io.sluice.schema.ddl.StatementSession;
import io.sluice.schema.ddl.catalog.BinlogSession;
import io.sluice.schema.ddl.catalog.RowSchemas;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.table.TableName;
import io.sluice.stream.event.Event;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.StreamOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Applies statements to the table schemas, and makes their entries.
 *
 * <p>For one thread.
 */
final class StatementReader {
    private static final Set<String> SYSTEM_SCHEMAS =
            Set.of("mysql", "sys", "information_schema", "performance_schema");

    private final SchemaTracker tracker;
    private final StatementApplier statements;
    private final RowSchemas rows;
    private final TableFilter filter;
    private final StreamOptions options;

    StatementReader(SchemaTracker tracker, TableFilter filter, StreamOptions options) {
        this.tracker = tracker;
        this.statements = tracker.statements();
        this.rows = tracker.rows();
        this.filter = filter;
        this.options = options;
    }

    /** The statement's text, decoded from the character set of its client, unless the server has written it itself. */
    static String textOf(Event event, QueryEvent query) {
        String generated = GeneratedText.of(event, query);
        return generated == null ? textOf(query) : generated;
    }

    /** The text of a client, decoded from its character set. */
    static String textOf(QueryEvent event) {
        return textOf(event.sql(), event.clientCollation());
    }

    /**
     * Decodes a client's text. That of a client whose character set is {@code binary}, as of dumps with {@code SET NAMES binary}, is UTF-8: the server takes
     * its bytes for names as they are.
     *
     * @param sql its bytes, all that is left
     * @param clientCollation an id of a collation of its character set; 0 if not known, for UTF-8
     */
    static String textOf(EventBody sql, int clientCollation) {
        String charset = charsetOf(clientCollation);
        TextDecoder decoder = charset == null || charset.equals("binary") ? null : MySqlCharsets.decoder(charset);
        if (decoder == null) {
            return sql.readText(sql.remaining(), StandardCharsets.UTF_8);
        }
        ByteWriter utf8 = new ByteWriter(Math.max(16, sql.remaining()));
        decoder.decode(sql.array(), sql.offset(), sql.remaining(), utf8);
        return new String(utf8.array(), 0, utf8.size(), StandardCharsets.UTF_8);
    }

    private static @Nullable String charsetOf(int collation) {
        return MySqlCharsets.charsetOf(MySqlCharsets.padded(collation));
    }

    /** The first table of a statement; null if it cannot be determined, or is not needed. */
    @Nullable String tableOf(String sql) {
        if (!options.parsesStatements()) {
            return null;
        }
        List<StatementChange> changes = statements.reader().classify(sql, "");
        return changes.isEmpty() ? null : changes.get(0).table();
    }

    /**
     * Applies a statement to the table schemas.
     *
     * @param sql its text, as {@link #textOf} gives it
     * @throws IOException if the source had to be asked for a schema, or the history be written, and could not
     */
    List<StatementChange> apply(Event event, QueryEvent query, String sql) throws IOException {
        tracker.catalog().moveTo(event.eventPosition());
        StatementSession session = new StatementSession(
                sessionOf(event, query),
                event.usesTemporary(),
                query.isAtomicDdl(),
                charsetOf(query.serverCollation()),
                charsetOf(query.schemaCollation()));
        SqlMode mode = SqlMode.ofBits(query.sqlMode())
                .ofClient(sql, charsetOf(query.clientCollation()), charsetOf(query.connectionCollation()));
        return statements.apply(sql, query.schema(), mode, session);
    }

    /**
     * Counts a statement if it may change rows of a permanent table that passes, or of one that cannot be told: rows of it do not come.
     *
     * @return whether it does
     */
    boolean countChangeOfRows(Event event, QueryEvent query, String sql) {
        long session = sessionOf(event, query);
        if (RowStatement.changesOf(sql, query.schema()).stream().noneMatch(change -> isOfInterest(session, change))) {
            return false;
        }
        countChangeOfRows();
        return true;
    }

    /** Counts a change of rows that is known by another event than its statement. */
    void countChangeOfRows() {
        tracker.counts().countChangeAsStatement();
    }

    private boolean isOfInterest(long session, StatementChange change) {
        String schema = change.schema();
        String table = change.table();
        if (schema != null && SYSTEM_SCHEMAS.contains(schema.toLowerCase(Locale.ROOT))) {
            return false;
        }
        return schema == null
                || table == null
                || filter.passes(schema, table) && !statements.isTemporary(session, new TableName(schema, table));
    }

    private static long sessionOf(Event event, QueryEvent query) {
        return event.serverId() << Integer.SIZE | query.threadId();
    }

    /** Begins a transaction, which has rows of one session only. */
    void onBegin(Event event, QueryEvent query) {
        rows.setSession(sessionOf(event, query));
    }

    /** Ends what {@link #onBegin} began: rows that follow are of a session that is not known. */
    void onTransactionEnd() {
        rows.setSession(BinlogSession.NO_ID);
    }

    /** Forgets what ends with a server that was started again. */
    void onServerStart() {
        statements.onServerStart();
    }

    /** The newest row of the schema history; null if there is no history. */
    @Nullable SchemaReference schemaReference() {
        return tracker.reference();
    }

    /**
     * Makes the entry of a statement that was applied.
     *
     * @return null if no entry leaves for it
     */
    @Nullable StatementEntry entry(Event event, QueryEvent query, String sql, List<StatementChange> applied) {
        String sessionSchema = query.schema();
        List<StatementChange> changes = applied;
        if (!options.parsesStatements() || changes.isEmpty() && !options.omits(Omitted.OTHER_STATEMENTS)) {
            changes = List.of(StatementHead.read(sql, sessionSchema));
        }
        if (changes.isEmpty() || changes.stream().noneMatch(this::passes)) {
            return null;
        }
        StatementChange first = changes.get(0);
        if (options.omits(Omitted.ALL_STATEMENTS) || first.ddl() && options.omits(Omitted.DDL_STATEMENTS)) {
            return null;
        }
        return new StatementEntry(
                event.origin(), first.type(), first.schema(), first.table(), first.ddl(), sql, sessionSchema);
    }

    private boolean passes(StatementChange change) {
        return switch (change.type()) {
            case CREATE, ALTER, ERASE, TRUNCATE, RENAME, CINDEX, DINDEX -> passesFilter(change);
            case QUERY -> !options.omits(Omitted.QUERY_STATEMENTS) && !isOfExcludedTables(change);
            default -> !options.omits(Omitted.DML_STATEMENTS);
        };
    }

    /** A table filter must not depend on whether a parser of canal's version can read the DDL of an excluded table. */
    private boolean isOfExcludedTables(StatementChange change) {
        return options.omits(Omitted.UNREAD_STATEMENTS_OF_EXCLUDED_TABLES)
                && !change.unstated().isEmpty()
                && change.unstated().stream().noneMatch(this::passesFilter);
    }

    private boolean passesFilter(StatementChange change) {
        String schema = change.schema();
        String table = change.table();
        if (schema == null || table == null) {
            return true;
        }
        TableName old = change.renamedFrom();
        return old == null
                ? filter.passes(schema, table)
                : filter.passesRenaming(old.schema(), old.table(), schema, table);
    }
}
