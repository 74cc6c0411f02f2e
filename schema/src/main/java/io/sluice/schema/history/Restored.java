package io.sluice.schema.history;

import io.sluice.schema.filter.FilterRules;
import org.jspecify.annotations.Nullable;

/**
 * The result of a restore: the definitions, statements and rows that the stream may read again, and where the history begins.
 *
 * @param recalled the recorded definitions of tables at later positions
 * @param applied the applied statements that the stream may read again
 * @param ofCanal the rows of canal that were applied
 * @param filter the filter of the tables in the snapshot; null if it has none, or there is no snapshot
 * @param rowsSinceBase the number of rows between the snapshot and the position
 * @param beginning where the history begins, if the position is before that, so that the restored schemas are those of the beginning; null if it is not
 * @param skipped the part that was skipped before what the position is in
 * @param hasReturned whether the position was read before a part was skipped in another binlog
 */
record Restored(
        RecalledDefinitions recalled,
        AppliedStatements applied,
        RowsOfCanal ofCanal,
        @Nullable FilterRules filter,
        int rowsSinceBase,
        @Nullable HistoryBeginning beginning,
        SkippedPart skipped,
        boolean hasReturned) {
    /** The result before the first restore. */
    static Restored none() {
        return new Restored(
                new RecalledDefinitions(),
                new AppliedStatements(),
                new RowsOfCanal(null),
                null,
                0,
                null,
                SkippedPart.NONE,
                false);
    }
}
