package io.sluice.stream.source.schema;

import io.sluice.schema.ddl.TableEffect;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a table in a part of the binlog: whether the columns of its rows follow from its present definition. For one thread.
 *
 * <p>Once it was made within the part, by a statement that tells its columns or from a table that was, the DDL tells them. Before that they are
 * the present ones, if no DDL changes them, and without those that are added later, if DDL does nothing else. Otherwise they are known after
 * the last DDL only. A copy of a table that was not made within the part has columns that are known if the original is not changed after it.
 */
final class TableLife {
    private boolean isMade;
    private boolean hasRows;
    private boolean hasRowsBeforeAChange;
    private @Nullable String firstChange;
    private @Nullable List<String> added = new ArrayList<>();
    private int changes;

    /** What it is a copy of, and how often that was changed before; null if it is none. */
    private @Nullable TableLife original;

    private int changesOfOriginal;

    /** Rows come. */
    void rows() {
        hasRows |= !isMade;
    }

    /**
     * A statement at a position of the binlog does something to the columns.
     *
     * @param origin the life of the effect's origin; null if it has none
     */
    void changed(String at, TableEffect effect, @Nullable TableLife origin) {
        changes++;
        firstChange = firstChange == null ? at : firstChange;
        if (effect.replacesAll()) {
            hasRowsBeforeAChange |= hasRows;
            isMade = effect.complete() || origin != null && origin.isMade;
            hasRows = false;
            added = null;
            original = effect.copied() && !isMade ? origin : null;
            changesOfOriginal = origin == null ? 0 : origin.changes;
            return;
        }
        if (isMade) {
            return;
        }
        hasRowsBeforeAChange |= hasRows;
        if (added != null && effect.added() != null) {
            added.addAll(effect.added());
        } else {
            added = null;
        }
    }

    /** Whether rows came that are not of a table which was made in this part. */
    boolean hasRows() {
        return hasRows || hasRowsBeforeAChange;
    }

    /** Where the first change is in the binlog; null if there is none. */
    @Nullable String firstChange() {
        return firstChange;
    }

    /** Whether there are rows whose columns neither the present definition nor DDL tells, unless {@link #added} does. */
    boolean hasUnnamedRows() {
        return hasRowsBeforeAChange || hasRows && original != null && original.changes > changesOfOriginal;
    }

    /** The columns that were added, if that is all that has changed; null if it is not. */
    @Nullable List<String> added() {
        return isMade ? null : added;
    }
}
