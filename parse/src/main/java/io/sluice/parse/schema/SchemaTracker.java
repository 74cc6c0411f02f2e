package io.sluice.parse.schema;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the structure of every table at the position of the stream.
 *
 * <p>It applies the DDL that the stream brings, and asks the source for tables that it does not know. A statement whose
 * effect it cannot tell makes it forget the tables concerned, with a warning in the log: the source is asked again when
 * their rows come. For one thread.
 */
public final class SchemaTracker {
    private static final Logger log = LoggerFactory.getLogger(SchemaTracker.class);
    private static final int LOGGED_CHARS = 200;

    private final SourceTraits source;
    private final TableCatalog catalog;

    /** Makes a tracker of a MySQL 8.0 source that knows no tables. */
    public SchemaTracker(TableDefinitions definitions) {
        this(definitions, SourceTraits.DEFAULT);
    }

    /** Makes a tracker that knows no tables. */
    public SchemaTracker(TableDefinitions definitions, SourceTraits source) {
        this.source = source;
        this.catalog = new TableCatalog(definitions, source);
    }

    /**
     * The structure of a table. The same object comes again until a statement changes the table.
     *
     * @return null if there is no such table, or its definition on the source cannot be read
     * @throws IOException if the source had to be asked and could not be
     */
    public @Nullable TableSchema table(TableName name) throws IOException {
        return catalog.table(name);
    }

    /**
     * Takes a table's {@code CREATE TABLE} text as it stands on the source or in a stored history, whatever was known.
     *
     * @return null if the text cannot be read, which is logged
     * @throws IOException if the source had to be asked for the schema's character set and could not be
     */
    public @Nullable TableSchema define(TableName name, String createStatement) throws IOException {
        return catalog.define(name, createStatement);
    }

    /** All structures in memory, in no order. */
    public Collection<TableSchema> tables() {
        return catalog.tables();
    }

    /** Forgets a table, so that the source is asked when it is needed next. */
    public void forget(TableName name) {
        catalog.forget(name);
    }

    /**
     * Says what a statement does, and applies nothing.
     *
     * @param sessionSchema the schema that names without one belong to; may be empty
     */
    public DdlResult classify(String sql, String sessionSchema) {
        List<Statement> statements = parse(sql, sessionSchema);
        return new DdlResult(changes(statements, isRead(sql, statements)));
    }

    /**
     * Applies the statement of a QUERY event to the structures.
     *
     * @param sessionSchema the schema that names without one belong to; may be empty
     * @throws IOException if the source had to be asked, for the original of {@code CREATE TABLE .. LIKE} or a schema's
     *     character set, and could not be; the same text may be applied again then
     */
    public DdlResult apply(String sql, String sessionSchema) throws IOException {
        List<Statement> statements = parse(sql, sessionSchema);
        boolean read = isRead(sql, statements);
        for (Statement statement : statements) {
            apply(statement, read, sql);
        }
        return new DdlResult(changes(statements, read));
    }

    private List<Statement> parse(String sql, String sessionSchema) {
        List<Statement> statements = new ArrayList<>();
        StatementParser parser = new StatementParser(sql, sessionSchema, source);
        for (Statement statement = parser.next(); statement != null; statement = parser.next()) {
            statements.add(statement);
            if (statement instanceof Statement.Silent || statement instanceof Statement.RowChange) {
                break; // such a statement may be long, or hold others
            }
        }
        return statements;
    }

    /** Whether canal reads the text; not asked where the answer changes nothing, as for rows. */
    private boolean isRead(String sql, List<Statement> statements) {
        boolean matters = false;
        for (Statement statement : statements) {
            if (statement.isBeyondCanal()) {
                return false;
            }
            matters |= !(statement instanceof Statement.RowChange
                    || statement instanceof Statement.AlterSchema
                    || (statement instanceof Statement.Silent silent && silent.known()));
        }
        return !matters || CanalGrammar.reads(sql, source);
    }

    private static List<StatementChange> changes(List<Statement> statements, boolean read) {
        if (!read) {
            return List.of(StatementChange.ofUnreadText());
        }
        List<StatementChange> changes = new ArrayList<>();
        for (Statement statement : statements) {
            changes.addAll(statement.changes());
        }
        return changes;
    }

    private void apply(Statement statement, boolean read, String sql) throws IOException {
        try {
            statement.applyTo(catalog);
        } catch (UnreadableSqlException e) {
            statement.tables().forEach(catalog::forget);
            log.warn(
                    "cannot tell what a DDL does, asking the source when rows come: tables={} reason={} sql={}",
                    statement.tables(),
                    e.getMessage(),
                    shortened(sql));
            return;
        }
        if (!read && statement instanceof Statement.CreateTable) {
            statement.tables().forEach(catalog::doubtSpelling);
        }
    }

    private static String shortened(String sql) {
        String line = sql.replaceAll("\\s+", " ");
        return line.length() <= LOGGED_CHARS ? line : line.substring(0, LOGGED_CHARS) + "...";
    }
}
