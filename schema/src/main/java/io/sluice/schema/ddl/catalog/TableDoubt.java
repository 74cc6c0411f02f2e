package io.sluice.schema.ddl.catalog;

import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schemas that a table may have instead of the known one, since statements that changed it may have been of temporary tables.
 *
 * @param others they differ from the known one and from each other
 * @param by the session that executed all statements in doubt: the known schema is that after all of them, the others are those after none; {@link BinlogSession#NONE} if
 *     there were several sessions, or another reason
 * @param isFlagged whether the server flagged such a statement; false if they were {@code RENAME TABLE} only, which it does not flag
 */
record TableDoubt(List<TableSchema> others, BinlogSession by, boolean isFlagged) {
    /** How many other schemas are kept of a table. */
    static final int MOST = 7;

    private static final Logger LOG = LoggerFactory.getLogger(TableDoubt.class);

    TableDoubt {
        others = List.copyOf(others);
    }

    /** The doubt about a table that may have some other schemas; null if all of them agree with the known one. Of those that agree the first is kept. */
    static @Nullable TableDoubt of(TableSchema known, List<TableSchema> others, BinlogSession by, boolean isFlagged) {
        List<TableSchema> distinct = new ArrayList<>();
        for (TableSchema other : others) {
            if (!known.agreesWith(other) && distinct.stream().noneMatch(other::agreesWith)) {
                distinct.add(other);
            }
        }
        return distinct.isEmpty() ? null : new TableDoubt(distinct, by, isFlagged);
    }

    /** Whether a schema agrees with one of the others. */
    boolean mayBe(TableSchema schema) {
        return others.stream().anyMatch(schema::agreesWith);
    }

    /** Whether a session executed all statements in doubt. */
    boolean isBy(BinlogSession session) {
        return by.isKnown() && by.equals(session);
    }

    /** The others after a change; without those that it does not match. */
    List<TableSchema> othersAfter(SchemaChange change) {
        List<TableSchema> changed = new ArrayList<>();
        for (TableSchema table : others) {
            try {
                changed.add(change.apply(table));
            } catch (UnreadableSqlException e) {
                LOG.debug("a table does not have the schema that it may have had: table={}", table.name(), e);
            }
        }
        return changed;
    }

    /** The doubt about a table that is a copy of the table, or the table with another name. */
    TableDoubt withName(TableName name) {
        return new TableDoubt(
                others.stream().map(other -> other.withName(name)).toList(), BinlogSession.NONE, isFlagged);
    }

    /** Keeps the first of more than {@link #MOST} others. */
    TableDoubt withoutOldest() {
        return new TableDoubt(others.subList(0, Math.min(others.size(), MOST)), by, isFlagged);
    }

    TableDoubt withoutSession() {
        return new TableDoubt(others, BinlogSession.NONE, isFlagged);
    }
}
