package io.sluice.schema.ddl;

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
 * @param by the session that executed all statements in doubt: the known schema is that after all of them, the others are those after none; {@link By#NONE} if
 *     there were several sessions, or another reason
 * @param isFlagged whether the server flagged such a statement; false if they were {@code RENAME TABLE} only, which it does not flag
 */
record TableDoubt(List<TableSchema> others, By by, boolean isFlagged) {
    /** How many other schemas are kept of a table. */
    static final int MOST = 7;

    private static final Logger LOG = LoggerFactory.getLogger(TableDoubt.class);

    /**
     * A session in a binlog file. A server that is started again begins another file, and gives the numbers of sessions again.
     *
     * @param session its number; {@link SchemaTracker#NO_SESSION} for none
     */
    record By(long session, String file) {
        static final By NONE = new By(SchemaTracker.NO_SESSION, "");

        /** Reads a result of {@link #toString}; {@link #NONE} if it is none. */
        static By parse(String text) {
            int end = text.indexOf(' ');
            try {
                return end < 0 ? NONE : new By(Long.parseLong(text.substring(0, end)), text.substring(end + 1));
            } catch (NumberFormatException e) {
                return NONE;
            }
        }

        boolean isKnown() {
            return session != SchemaTracker.NO_SESSION;
        }

        @Override
        public String toString() {
            return session + " " + file;
        }
    }

    TableDoubt {
        others = List.copyOf(others);
    }

    /** The doubt about a table that may have some other schemas; null if all of them agree with the known one. Of those that agree the first is kept. */
    static @Nullable TableDoubt of(TableSchema known, List<TableSchema> others, By by, boolean isFlagged) {
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
    boolean isBy(By session) {
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
        return new TableDoubt(others.stream().map(other -> other.withName(name)).toList(), By.NONE, isFlagged);
    }

    /** Keeps the first of more than {@link #MOST} others. */
    TableDoubt withoutOldest() {
        return new TableDoubt(others.subList(0, Math.min(others.size(), MOST)), by, isFlagged);
    }

    TableDoubt withoutSession() {
        return new TableDoubt(others, By.NONE, isFlagged);
    }
}
