package io.sluice.schema.history;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of canal that are applied to the restored table schemas. They do not tell how far a history reaches, since they name no server; so after canal
 * has continued a history, the DDL since the last row of Sluice is read from the binlog, and comes again.
 */
final class RowsOfCanal {
    private final Set<Long> applied = new HashSet<>();
    private final @Nullable HistorySnapshot base;

    /** @param base the snapshot with which the restored table schemas begin; null if there is none */
    RowsOfCanal(@Nullable HistorySnapshot base) {
        this.base = base;
    }

    /** Adds a row that is applied; one of Sluice is left out. */
    void add(HistoryRow row) {
        if (row.position().source().isEmpty()) {
            applied.add(row.id());
        }
    }

    /** Whether a row is of canal, and its effect is in the restored table schemas. */
    boolean has(long id, HistoryPosition position) {
        return position.source().isEmpty() && (applied.contains(id) || base != null && base.covers(position));
    }
}
