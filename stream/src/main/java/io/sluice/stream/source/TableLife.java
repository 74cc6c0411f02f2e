package io.sluice.stream.source;

import io.sluice.schema.ddl.TableEffect;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a table in a part of the binlog: whether the columns of its rows follow from its present definition. For one thread.
 *
 * <p>Once it was made within the part, the DDL tells its columns. Before that they are the present ones, if no DDL changes them, and
 * without those that are added later, if DDL does nothing else. Otherwise they are known after the last DDL only.
 */
final class TableLife {
    private boolean isMade;
    private boolean hasRows;
    private boolean hasRowsBeforeAChange;
    private @Nullable String firstChange;
    private @Nullable List<String> added = new ArrayList<>();

    /** Rows come. */
    void rows() {
        hasRows |= !isMade;
    }

    /** A statement that is at a place of the binlog does something to the columns. */
    void changed(String at, TableEffect effect) {
        if (isMade) {
            return;
        }
        isMade = effect.created();
        firstChange = firstChange == null ? at : firstChange;
        hasRowsBeforeAChange |= hasRows;
        if (added != null && effect.added() != null) {
            added.addAll(effect.added());
        } else {
            added = null;
        }
    }

    /** Where the first change is in the binlog; null if there is none. */
    @Nullable String firstChange() {
        return firstChange;
    }

    /** Whether there are rows whose columns neither the present definition nor DDL tells, unless {@link #added} does. */
    boolean hasUnnamedRows() {
        return hasRowsBeforeAChange;
    }

    /** The columns that were added, if that is all that has changed; null if it is not. */
    @Nullable List<String> added() {
        return isMade ? null : added;
    }
}
