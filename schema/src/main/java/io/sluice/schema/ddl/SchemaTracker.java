package io.sluice.schema.ddl;

import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.ddl.catalog.BinlogSession;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaCounts;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.ddl.catalog.TemporaryUse;
import io.sluice.schema.sql.MaskedSql;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.StoredColumn;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the schema of every table at the position of the stream.
 *
 * <p>It applies the DDL that the stream brings, and reads tables that it does not know from the source. A statement
 * whose effect cannot be determined removes the tables concerned, with a warning in the log: they are read from the source again
 * when their rows come. For one thread.
 */
public final class SchemaTracker {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaTracker.class);
    private static final int LOGGED_CHARS = 200;

    private final SourceTraits source;
    private final DdlReader reader;
    private final SchemaRecorder recorder;
    private final TableCatalog catalog;
    private final TemporaryTables temporary;
    private final SchemaCounts counts = new SchemaCounts();
    /** Suspect tables that could not be requested from the source. */
    private final Set<TableName> unread = new HashSet<>();

    private Predicate<TableName> presentAccepted = table -> false;
    private @Nullable EventPosition at;

    /** Makes a tracker of a MySQL 8.0 source that knows no tables. */
    public SchemaTracker(TableDefinitions definitions) {
        this(definitions, SourceTraits.DEFAULT);
    }

    /** Makes a tracker that knows no tables. */
    public SchemaTracker(TableDefinitions definitions, SourceTraits source) {
        this(definitions, source, SchemaRecorder.NONE);
    }

    /** Makes a tracker that knows no tables, and records what changes their schemas. */
    public SchemaTracker(TableDefinitions definitions, SourceTraits source, SchemaRecorder recorder) {
        this.source = source;
        this.reader = new DdlReader(source);
        this.recorder = recorder;
        this.temporary = new TemporaryTables(source);
        this.catalog = new TableCatalog(definitions, source, recorder, counts);
    }

    /** Spells the types of columns as the source does in its definitions of tables, whatever the spelling in statements that are applied from now on. */
    public void spellAsSource() {
        catalog.tables().spellAsSource();
    }

    /** Reads statements as those that are applied are read. */
    public DdlReader reader() {
        return reader;
    }

    /** The newest row of the schema history that the table schemas rely on; null if there is no history. */
    public @Nullable SchemaReference reference() {
        return recorder.reference();
    }

    /** Sets the event that is processed from now on; before the first, nothing is recorded. */
    public void moveTo(EventPosition position) {
        at = position;
        catalog.moveTo(position);
    }

    /**
     * The schema of a table. The same object comes again until a statement changes the table.
     *
     * @return null if there is no such table, or its definition on the source cannot be read
     * @throws IOException if the source had to be asked and could not be
     */
    public @Nullable TableSchema table(TableName name) throws IOException {
        return catalog.table(name);
    }

    /**
     * Uses a table's {@code CREATE TABLE} text from the source or a stored history instead of what was known.
     *
     * @return null if the text cannot be read, which is logged
     * @throws IOException if the source had to be asked for the schema's character set and could not be
     */
    public @Nullable TableSchema define(TableName name, String createStatement) throws IOException {
        return catalog.define(name, createStatement);
    }

    /**
     * Looks again for the schema of a table whose rows do not match the known one: first what was known when this position was passed
     * before, then the source.
     *
     * @return the first schema that matches, which is used from now on; null if none does, and nothing has changed
     * @throws IOException if the source could not be asked
     */
    public @Nullable TableSchema reread(TableName name, Predicate<TableSchema> fits) throws IOException {
        return catalog.reread(name, fits, present -> true);
    }

    /**
     * As {@link #reread(TableName, Predicate)}, unless the present definition on the source shows at once that it does not match: then the binlog is not
     * searched for DDL that follows.
     *
     * @param mayFit whether a schema may match if it is the one of this position
     * @throws IOException if the source could not be asked
     */
    public @Nullable TableSchema reread(TableName name, Predicate<TableSchema> fits, Predicate<TableSchema> mayFit)
            throws IOException {
        return catalog.reread(name, fits, mayFit);
    }

    /**
     * Sets the session that changes the rows that are read from now on. It is known on MySQL only.
     *
     * @param session {@link BinlogSession#NO_ID} if it is not known
     */
    public void setRowSession(long session) {
        catalog.setRowSession(source.mariaDb() ? BinlogSession.NO_ID : session);
    }

    /**
     * Ends the doubts about a table whose rows have come. If it has one of several schemas, since statements may have been of temporary tables, it is the one
     * that the rows can be of. If they can be of several, but come from the session that executed the statements, these were of the permanent table,
     * which a temporary one would have hidden. Otherwise the source is asked.
     *
     * @param fits whether the rows can be of a schema
     * @return the schema that the table has; null if it is not known, or cannot be determined
     * @throws IOException if the source could not be asked
     */
    public @Nullable TableSchema resolveDoubts(TableName name, Predicate<TableSchema> fits) throws IOException {
        return catalog.resolveDoubts(name, fits);
    }

    /** Whether a table may have another schema than the known one. */
    public boolean isInDoubt(TableName name) {
        return catalog.doubts().has(name);
    }

    /**
     * Finds out whether rows that fit no schema are those of a sequence that has been dropped since then.
     *
     * @param fits whether the rows can be of a schema
     * @return the schema of the sequence, which is used from now on; null if it was not certainly one
     * @throws IOException if the source could not be asked
     */
    public @Nullable TableSchema goneSequence(TableName name, Predicate<TableSchema> fits) throws IOException {
        return catalog.goneSequence(name, fits);
    }

    /**
     * Whether the table is known to be changed after this position, so that its present definition on the source is not that of this
     * position.
     */
    public boolean changesLater(TableName name) {
        return catalog.changesLater(name);
    }

    /** Sets for which tables an operator accepts that older rows are read with the first columns of the schema of now. */
    public void acceptPresent(Predicate<TableName> tables) {
        presentAccepted = tables;
    }

    /** Whether the first columns of its schema may be taken for rows of a table that have fewer. */
    public boolean isPresentAccepted(TableName name) {
        return presentAccepted.test(name);
    }

    /**
     * All columns of a table as the source stores them now, with those for indexes on expressions; null if it does not show them.
     *
     * @throws IOException if the source could not be asked
     */
    public @Nullable List<StoredColumn> storedColumns(TableName name) throws IOException {
        return catalog.storedColumns(name);
    }

    /**
     * Uses the definition of a table on the source, unless the table schema in memory has the same columns.
     *
     * @return a schema with the columns of both; null if the definition cannot be read, which is logged
     * @throws IOException if the source had to be asked for the schema's character set and could not be
     */
    public @Nullable TableSchema align(TableName name, String createStatement) throws IOException {
        return catalog.align(name, createStatement);
    }

    /**
     * Replaces the known schema of a table by one that was derived from its table map.
     *
     * @throws IOException if it could not be written down
     */
    public void correct(TableSchema table) throws IOException {
        catalog.correct(table);
    }

    /** The counters of table schemas that did not follow from DDL alone; may be read by any thread. */
    public SchemaCounts counts() {
        return counts;
    }

    /** All table schemas as texts. */
    public SchemaState state() {
        return catalog.state();
    }

    /**
     * Replaces all table schemas in memory by recorded ones.
     *
     * @throws IOException if the source had to be asked for a schema's character set and could not be
     */
    public void restore(SchemaState state) throws IOException {
        catalog.restore(state);
    }

    /**
     * Replaces the known default character sets of schemas by those at the position of the stream. Those of other schemas are requested from the source when
     * they are needed.
     *
     * @param charsets by the names of schemas
     */
    public void setSchemaDefaults(Map<String, String> charsets) {
        catalog.charsets().setAll(charsets);
    }

    /** The schemas whose default character sets are known, by names that the server takes for the same. */
    public Set<String> schemasWithDefault() {
        return catalog.charsets().schemas();
    }

    /** Forgets the default character set of a schema, so that it is requested from the source when it is needed next. */
    public void forgetSchemaDefault(String schema) {
        catalog.charsets().alter(schema, null);
    }

    /** All table schemas in memory, in no order. */
    public Collection<TableSchema> tables() {
        return catalog.tables().schemas();
    }

    /**
     * Takes columns out of the schema of a table, as it was before they were added.
     *
     * @return whether it had all of them; else nothing has changed
     */
    public boolean removeColumns(TableName name, List<String> columns) {
        return catalog.tables().removeColumns(name, columns);
    }

    /** Forgets a table, so that its definition is requested from the source when it is needed next. */
    public void forget(TableName name) {
        catalog.tables().forget(name);
    }

    /**
     * Returns the names of tables that were dropped or renamed since the last call; a schema has an empty table name.
     */
    public List<TableName> takeGone() {
        return catalog.tables().takeGone();
    }

    /** Forgets the temporary tables of all sessions: the source was started. */
    public void onServerStart() {
        temporary.clear();
    }

    /** Whether a session was seen to create a temporary table of that name, which it has not dropped. */
    public boolean isTemporary(long session, TableName name) {
        return temporary.has(session, name);
    }

    /** Whether the schema of a table is in memory, so that the source need not be asked for it. */
    public boolean knows(TableName name) {
        return catalog.tables().knows(name);
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
        String recalled = at == null ? null : recorder.recallCharset(at);
        String charset = nameCharset(statements, recalled, sessionSchema, session);
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
            TemporaryUse use = temporaryUse(statements);
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
            suspectWhatIsMentioned(statements, sql, sessionSchema, mode);
            askForSuspects();
        }
        return changes;
    }

    /**
     * Replaces a statement that takes a character set from its schema or session by the same with its name, which is returned.
     *
     * @param recorded the name; null if it is not recorded
     */
    private @Nullable String nameCharset(
            List<Statement> statements, @Nullable String recorded, String sessionSchema, StatementSession session)
            throws IOException {
        String taken = recorded;
        for (int i = 0; i < statements.size(); i++) {
            String charset = recorded == null
                    ? InheritedCharset.of(statements.get(i), catalog, sessionSchema, session)
                    : recorded;
            if (charset != null) {
                statements.set(i, InheritedCharset.named(statements.get(i), charset));
                taken = charset;
            }
        }
        return taken;
    }

    private static TemporaryUse temporaryUse(List<Statement> statements) {
        return statements.stream()
                .map(Statement::temporaryUse)
                .filter(use -> use != TemporaryUse.NONE)
                .findFirst()
                .orElse(TemporaryUse.NONE);
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
            nameCharset(statements, ddl.charset(), sessionSchema, StatementSession.UNKNOWN);
            statements.replaceAll(statement -> TemporaryTables.ofRecord(statement, ddl.temporary(), ddl.session()));
            apply(statements, reader.isReadByCanal(sql, statements), sql);
        } finally {
            catalog.setReplaying(false);
        }
        catalog.tables().takeGone(); // nothing is remembered of tables of that time
        catalog.tables().takeSuspects(); // what the source returned for them was recorded too
    }

    private void suspectWhatIsMentioned(List<Statement> statements, String sql, String sessionSchema, SqlMode mode) {
        boolean isKnown = statements.stream()
                .noneMatch(statement -> statement instanceof Statement.Silent silent && silent.mayBeOfTables());
        if (isKnown) {
            return;
        }
        MentionedTables named = MentionedTables.in(sql, sessionSchema, source, mode);
        if (!named.isChange()) {
            return;
        }
        if (at != null) {
            recorder.recordUnread(at, new SchemaRecorder.Ddl(sql, sessionSchema, mode, List.of()));
        }
        List<TableName> mentioned = catalog.tables().schemas().stream()
                .map(TableSchema::name)
                .filter(named::has)
                .toList();
        if (!mentioned.isEmpty()) {
            counts.countDoubtfulStatement();
            mentioned.forEach(catalog.tables()::suspect);
            LOG.warn(
                    "the effect of a DDL is unknown, reading the tables from the source: tables={} reason={} sql={}",
                    mentioned,
                    "it is of no known form",
                    shortened(sql));
        }
    }

    /**
     * Requests the definitions of suspect tables, and of those that may have several schemas, now, while the source probably has the schemas
     * of this position. If it cannot be reached, they are requested at the next statement, or when rows of them arrive; if it rejects the query for one, only then.
     */
    private void askForSuspects() {
        boolean isReached = true;
        for (TableName name : catalog.tables().takeSuspects()) {
            if (!isReached) {
                catalog.tables().addSuspect(name); // another attempt would wait for as long
                continue;
            }
            try {
                catalog.table(name);
                catalog.askInDoubt(name);
            } catch (IOException e) {
                isReached = e instanceof ServerErrorException error && !error.isTemporary();
                if (!isReached) {
                    catalog.tables().addSuspect(name);
                }
                if (unread.add(name)) {
                    LOG.warn(
                            "the definition of a table whose schema is in doubt cannot be read from the source, asking again at {}: table={}"
                                    + " at={} cause={}",
                            isReached ? "its rows" : "the next DDL or at its rows",
                            name,
                            at,
                            e.getMessage());
                }
            }
        }
        unread.removeIf(name -> !catalog.tables().isSuspect(name));
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
                    shortened(sql));
            return;
        }
        if (statement.temporaryUse() == TemporaryUse.POSSIBLE) {
            counts.countDoubtfulStatement();
            LOG.info(
                    "according to the binlog, a DDL may be of a temporary table: tables={} at={} sql={}",
                    statement.tables(),
                    at,
                    shortened(sql));
        }
        if (!read && statement instanceof TableStatement.CreateTable) {
            statement.tables().forEach(catalog.tables()::recheckSpelling);
        }
    }

    private static String shortened(String sql) {
        String line = MaskedSql.of(sql).replaceAll("\\s+", " ");
        if (sql.length() > MaskedSql.MAX_CHARS && line.length() <= LOGGED_CHARS) {
            return "%s (%d characters)".formatted(line, sql.length());
        }
        return line.length() <= LOGGED_CHARS ? line : line.substring(0, LOGGED_CHARS) + "...";
    }
}
