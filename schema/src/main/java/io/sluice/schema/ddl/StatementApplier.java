package io.sluice.schema.ddl;

import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.ddl.catalog.BinlogSession;
import io.sluice.schema.ddl.catalog.DoubtResolver;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaCounts;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.ddl.catalog.TemporaryUse;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies statements to the table schemas, and records those of the stream.
 *
 * <p>A statement whose effect cannot be determined removes the tables concerned, with a warning in the log: they are read from the source again
 * when their rows come. For one thread.
 */
public final class StatementApplier {
    private static final Logger LOG = LoggerFactory.getLogger(StatementApplier.class);

    private final TableCatalog catalog;
    private final SchemaRecorder recorder;
    private final SchemaCounts counts;
    private final DdlReader reader;
    private final TemporaryTables temporary;
    private final SuspectTables suspects;

    /** Creates it for the tables of a catalog. */
    StatementApplier(TableCatalog catalog, DoubtResolver doubts, SchemaRecorder recorder, SchemaCounts counts) {
        this.catalog = catalog;
        this.recorder = recorder;
        this.counts = counts;
        this.reader = new DdlReader(catalog.source());
        this.temporary = new TemporaryTables(catalog.source());
        this.suspects = new SuspectTables(catalog, doubts, recorder, counts);
    }

    /** Reads statements as those that are applied are read. */
    public DdlReader reader() {
        return reader;
    }

    /** As {@link #apply(String, String, SqlMode)}, in the default mode. */
    public List<StatementChange> apply(String sql, String sessionSchema) throws IOException {
        return apply(sql, sessionSchema, SqlMode.DEFAULT);
    }

    /**
     * Records the statement of a QUERY event, and applies it to the table schemas.
     *
     * @param sessionSchema the schema that names without one belong to; may be empty
     * @throws IOException if it could not be recorded, or the source had to be asked, for the original of {@code
     *     CREATE TABLE .. LIKE} or a schema's character set, and could not be; the same text may be applied again then
     */
    public List<StatementChange> apply(String sql, String sessionSchema, SqlMode mode) throws IOException {
        return apply(sql, sessionSchema, mode, StatementSession.UNKNOWN);
    }

    /**
     * As {@link #apply(String, String, SqlMode)}.
     *
     * @param session the session that executed the statement. If it may have used temporary tables, a table that it alters is temporary if the session was seen
     *     to create it, whatever other table has the same name; otherwise the table may have its schema before the statement or the one after it.
     */
    public List<StatementChange> apply(String sql, String sessionSchema, SqlMode mode, StatementSession session)
            throws IOException {
        List<Statement> statements = reader.read(sql, sessionSchema, mode);
        boolean isAmbiguous = DdlReader.isAmbiguous(statements);
        EventPosition at = catalog.at();
        String recalled = at == null ? null : recorder.recallCharset(at);
        String charset = InheritedCharset.nameIn(statements, recalled, catalog, sessionSchema, session);
        if (session.id() != BinlogSession.NO_ID) {
            statements.replaceAll(statement -> temporary.ofSession(statement, session));
        }
        if (session.usesTemporary()) {
            statements.forEach(
                    statement -> TemporaryTables.namesChanged(statement).forEach(catalog.doubts()::separateSessions));
        }
        boolean read = reader.isReadByCanal(sql, statements);
        List<StatementChange> changes = DdlReader.changes(statements, read);
        boolean wanted = true;
        if (at != null && statements.stream().anyMatch(statement -> statement.changesSchemas(catalog))) {
            String text = statements.size() == 1 ? statements.get(0).recordedText(sql) : sql;
            TemporaryUse use = TemporaryTables.useBy(statements);
            wanted = recorder.recordStatement(
                    at,
                    new SchemaRecorder.Ddl(
                            text,
                            sessionSchema,
                            mode,
                            changes,
                            use,
                            use == TemporaryUse.NONE ? BinlogSession.NO_ID : session.id(),
                            charset,
                            isAmbiguous),
                    catalog::state);
        }
        if (wanted) {
            apply(statements, read, sql);
            suspects.addMentioned(statements, sql, sessionSchema, mode);
            suspects.askSource();
        }
        return changes;
    }

    /**
     * Applies a statement that was recorded before. The source is not asked for tables, since it shows them as they are now.
     *
     * @throws IOException if the recorder could not be asked for a table, or the source for a schema's character set
     */
    public void replay(String sql, String sessionSchema, SqlMode mode) throws IOException {
        replay(new SchemaRecorder.Ddl(sql, sessionSchema, mode, List.of()));
    }

    /**
     * Applies a statement that was recorded before, as {@link SchemaRecorder.Ddl} describes it. The source is not asked for tables.
     *
     * @param ddl without a character set also if the record is of canal, which does not have it: the statement takes what the source has now; likewise it is not
     *     ambiguous if canal has recorded it, which read it in one mode, as it did the statements after it
     * @throws IOException as {@link #replay(String, String, SqlMode)}
     */
    public void replay(SchemaRecorder.Ddl ddl) throws IOException {
        String sql = ddl.sql();
        String sessionSchema = ddl.sessionSchema();
        List<Statement> statements = reader.read(sql, sessionSchema, ddl.mode());
        if (DdlReader.isAmbiguous(statements) && !ddl.isAmbiguous()) {
            statements = reader.readInMode(sql, sessionSchema, ddl.mode());
        }
        catalog.setReplaying(true);
        try {
            InheritedCharset.nameIn(statements, ddl.charset(), catalog, sessionSchema, StatementSession.UNKNOWN);
            statements.replaceAll(statement -> TemporaryTables.ofRecord(statement, ddl.temporary(), ddl.session()));
            apply(statements, reader.isReadByCanal(sql, statements), sql);
        } finally {
            catalog.setReplaying(false);
        }
        catalog.tables().takeGone(); // nothing is remembered of tables of that time
        catalog.tables().takeSuspects(); // what the source returned for them was recorded too
    }

    private void apply(List<Statement> statements, boolean read, String sql) throws IOException {
        for (Statement statement : statements) {
            apply(statement, read, sql);
        }
    }

    private void apply(Statement statement, boolean read, String sql) throws IOException {
        try {
            statement.applyTo(catalog);
        } catch (UnreadableSqlException e) {
            statement.tables().forEach(catalog.tables()::suspect);
            counts.countDoubtfulStatement();
            LOG.warn(
                    "the effect of a DDL is unknown, reading the tables from the source: tables={} reason={} sql={}",
                    statement.tables(),
                    e.getMessage(),
                    LoggedSql.of(sql));
            return;
        }
        if (statement.temporaryUse() == TemporaryUse.POSSIBLE) {
            counts.countDoubtfulStatement();
            LOG.info(
                    "according to the binlog, a DDL may be of a temporary table: tables={} at={} sql={}",
                    statement.tables(),
                    catalog.at(),
                    LoggedSql.of(sql));
        }
        if (!read && statement instanceof TableStatement.CreateTable) {
            statement.tables().forEach(catalog.tables()::recheckSpelling);
        }
    }

    /** Forgets the temporary tables of all sessions: the source was started. */
    public void onServerStart() {
        temporary.clear();
    }

    /** Whether a session was seen to create a temporary table of that name, which it has not dropped. */
    public boolean isTemporary(long session, TableName name) {
        return temporary.has(session, name);
    }
}
