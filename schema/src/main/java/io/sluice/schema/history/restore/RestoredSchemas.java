package io.sluice.schema.history.restore;

import io.sluice.schema.filter.FilterRules;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.SkippedPart;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What a restore for a position has found beside the table schemas. For one thread. */
public final class RestoredSchemas {
    private final HistoryTables tables;
    private final @Nullable FilterRules filter;
    private final @Nullable HistoryBeginning beginning;
    private final SkippedPart skipped;
    private final boolean hasReturned;

    RestoredSchemas(
            HistoryTables tables,
            @Nullable FilterRules filter,
            @Nullable HistoryBeginning beginning,
            SkippedPart skipped,
            boolean hasReturned) {
        this.tables = tables;
        this.filter = filter;
        this.beginning = beginning;
        this.skipped = skipped;
        this.hasReturned = hasReturned;
    }

    /**
     * The filter of the snapshot with which the restore began.
     *
     * @return null if it has none: canal has written it, or there is no snapshot
     */
    public @Nullable FilterRules filter() {
        return filter;
    }

    /**
     * Where the history begins, if the position is before that: the restored table schemas are those of that beginning.
     *
     * @return null if the restored table schemas are of the position
     */
    public @Nullable HistoryBeginning beginning() {
        return beginning;
    }

    /**
     * Whether the position was read before a part was skipped in another binlog. What follows is not of what came after that part, so the history must
     * be begun again at the position before an event is read.
     */
    public boolean hasReturned() {
        return hasReturned;
    }

    /**
     * The statements in the history, as it is now, whose events were written up to a time, in milliseconds since the epoch; without those from before a part
     * that was skipped, if the position is after that.
     *
     * @throws IOException if its server cannot be reached
     */
    public RecordedStatements recordedUpTo(long millis) throws IOException {
        return RecordedStatements.after(skipped, millis, tables);
    }
}
