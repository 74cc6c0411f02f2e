package io.sluice.schema.history.restore;

import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.history.rows.HistorySnapshot;
import io.sluice.schema.history.rows.TransactionOrder;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of canal that are applied to the restored table schemas. They do not show how far a history reaches, since they name no server; so after canal
 * has continued a history, the DDL since the last row of Sluice is read from the binlog, and comes again.
 */
public final class RowsOfCanal {
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

    /**
     * Whether a row is of canal, and its effect is in the restored table schemas.
     *
     * @param position that of the row
     * @param event that of the event for which the row was found: unlike the row it names the server, so that it is compared with a snapshot of Sluice
     *     by its position in the binlog, and not by the time at which the statement began
     */
    public boolean has(long id, HistoryPosition position, HistoryPosition event) throws IOException {
        return position.source().isEmpty() && (applied.contains(id) || isInBase(position, event));
    }

    private boolean isInBase(HistoryPosition position, HistoryPosition event) throws IOException {
        HistorySnapshot snapshot = base;
        return snapshot != null
                && snapshot.covers(snapshot.position().source().isEmpty() ? position : event, TransactionOrder.UNKNOWN);
    }
}
