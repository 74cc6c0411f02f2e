package io.sluice.schema.ddl.catalog;

import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What statements leave in doubt about the tables in memory, since they may have been of temporary tables: whether a name is free, and
 * which of several schemas a table has. For one thread.
 */
public final class TableDoubts {
    private static final String REASON = "it may be of a temporary table";

    private final CatalogTables tables;

    TableDoubts(CatalogTables tables) {
        this.tables = tables;
    }

    /** Whether the name of a table in memory may be free, since a temporary table may have been renamed to it. */
    public boolean isNameInDoubt(TableName name) {
        KnownTable known = tables.find(name);
        return known != null && known.isNameInDoubt();
    }

    /** Notes that the name of a table in memory may be free. */
    public void doubtName(TableName name) {
        tables.note(name, known -> known.withNameInDoubt(true));
    }

    /** Notes that a table, which exists, may have another schema than the one in memory, since a {@code RENAME TABLE} may have been of temporary tables. */
    public void addAlternative(TableSchema other) {
        tables.note(other.name(), known -> {
            TableDoubt doubt = known.doubt();
            List<TableSchema> others = new ArrayList<>();
            others.add(other);
            if (doubt != null) {
                others.addAll(doubt.others());
            }
            boolean isFlagged = doubt != null && doubt.isFlagged();
            TableDoubt more = TableDoubt.of(known.schema(), others, BinlogSession.NONE, isFlagged);
            return known.withNameInDoubt(false).withDoubt(more == null ? null : more.withoutOldest());
        });
    }

    /** Notes that a table, which has the schema of another one, may have the other schemas that this one may have. */
    public void copy(TableName from, TableName to) {
        TableDoubt doubt = of(from);
        if (doubt != null) {
            tables.note(to, copy -> copy.withDoubt(doubt.withName(to)));
        }
    }

    /** Whether a table may have another schema than the one in memory. */
    public boolean has(TableName name) {
        return of(name) != null;
    }

    /** The schemas that a table may have instead of the one in memory; null if there are none. */
    @Nullable TableDoubt of(TableName name) {
        KnownTable known = tables.find(name);
        return known == null ? null : known.doubt();
    }

    /** Notes that a session may have had a temporary table of a name for a part of the time. */
    public void separateSessions(TableName name) {
        TableDoubt doubt = of(name);
        if (doubt != null) {
            tables.note(name, known -> known.withDoubt(doubt.withoutSession()));
        }
    }

    /**
     * Changes the schema of a table in memory, which may keep the schema that it has.
     *
     * @param session the session that executed the statement; {@link BinlogSession#NONE} if it is not known
     * @throws UnreadableSqlException if the change does not match the table schema, which is unchanged then, or there are too many that the table may have
     */
    public void alter(TableName name, BinlogSession session, SchemaChange change) throws UnreadableSqlException {
        KnownTable known = tables.find(name);
        if (known == null || known.recheck() != RecheckReason.NONE) {
            throw new UnreadableSqlException(REASON);
        }
        TableSchema before = known.schema();
        TableSchema after = change.apply(before);
        TableDoubt doubt = known.doubt();
        BinlogSession by = session;
        List<TableSchema> others = new ArrayList<>();
        if (doubt == null) {
            others.add(before);
        } else {
            others.addAll(doubt.others());
            if (!doubt.isBy(session)) {
                by = BinlogSession.NONE;
                others.add(before);
                others.addAll(doubt.othersAfter(change));
            }
        }
        TableDoubt more = TableDoubt.of(after, others, by, true);
        if (more != null && more.others().size() > TableDoubt.MOST) {
            throw new UnreadableSqlException("it is one of many that may be of a temporary table");
        }
        tables.store(new KnownTable(after, known.recheck(), false, more));
        tables.addSuspect(name);
    }

    /**
     * Renames a table in memory, which may keep its name and its schema.
     *
     * @param isRespelled whether the source is to be asked how it spells the types of the renamed table
     * @throws UnreadableSqlException if the change does not match the table schema, or the table may have several; nothing has changed then
     */
    public void rename(TableName from, TableName to, SchemaChange change, boolean isRespelled)
            throws UnreadableSqlException {
        KnownTable known = tables.find(from);
        if (known == null || known.recheck() != RecheckReason.NONE || known.doubt() != null) {
            throw new UnreadableSqlException(REASON);
        }
        tables.put(
                change.apply(known.schema()).withName(to),
                isRespelled ? RecheckReason.SPELLED_BY_SOURCE : RecheckReason.NONE);
        doubtName(from);
        doubtName(to);
    }
}
