package io.sluice.schema.ddl;

import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.schema.ddl.catalog.DoubtResolver;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaCounts;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the tables that a statement may have changed in an unknown way, and requests their definitions from the source. For one thread. */
final class SuspectTables {
    private static final Logger LOG = LoggerFactory.getLogger(SuspectTables.class);

    private final TableCatalog catalog;
    private final DoubtResolver doubts;
    private final SchemaRecorder recorder;
    private final SchemaCounts counts;

    /** Suspect tables that could not be requested from the source. */
    private final Set<TableName> unread = new HashSet<>();

    SuspectTables(TableCatalog catalog, DoubtResolver doubts, SchemaRecorder recorder, SchemaCounts counts) {
        this.catalog = catalog;
        this.doubts = doubts;
        this.recorder = recorder;
        this.counts = counts;
    }

    /** Adds the tables that a statement of an unknown form mentions, since it may change them. */
    void addMentioned(List<Statement> statements, String sql, String sessionSchema, SqlMode mode) {
        boolean isKnown = statements.stream()
                .noneMatch(statement -> statement instanceof Statement.Silent silent && silent.mayBeOfTables());
        if (isKnown) {
            return;
        }
        MentionedTables named = MentionedTables.in(sql, sessionSchema, catalog.source(), mode);
        if (!named.isChange()) {
            return;
        }
        EventPosition at = catalog.at();
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
                    LoggedSql.of(sql));
        }
    }

    /**
     * Requests the definitions of suspect tables, and of those that may have several schemas, now, while the source probably has the schemas
     * of this position. If it cannot be reached, they are requested at the next statement, or when rows of them arrive; if it rejects the query for one, only then.
     */
    void askSource() {
        boolean isReached = true;
        for (TableName name : catalog.tables().takeSuspects()) {
            if (!isReached) {
                catalog.tables().addSuspect(name); // another attempt would wait for as long
                continue;
            }
            try {
                catalog.table(name);
                doubts.resolveBySource(name);
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
                            catalog.at(),
                            e.getMessage());
                }
            }
        }
        unread.removeIf(name -> !catalog.tables().isSuspect(name));
    }
}
