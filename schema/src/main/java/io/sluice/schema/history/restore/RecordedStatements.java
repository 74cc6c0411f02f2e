package io.sluice.schema.history.restore;

import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.SkippedPart;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Digests of the oldest statements in a history, by which they are recognized in the binlog of any server. For one thread. */
public final class RecordedStatements {
    private static final int ROWS_PER_PAGE = 256;

    private final Set<Digest> statements = new HashSet<>();

    private RecordedStatements() {}

    /** Reads those that followed a part that was skipped, up to a time in milliseconds since the epoch. */
    static RecordedStatements after(SkippedPart skipped, long millis, HistoryTables tables) throws IOException {
        RecordedStatements recorded = new RecordedStatements();
        RowPages pages = new RowPages(tables, ROWS_PER_PAGE, 1);
        List<HistoryRow> rows = pages.read(0, Long.MAX_VALUE);
        while (!rows.isEmpty()) {
            for (HistoryRow row : rows) {
                if (!row.isDefinition()
                        && skipped.isFollowedBy(row.id(), row.position())
                        && row.position().timeMillis() <= millis) {
                    recorded.statements.add(
                            AppliedStatements.key(row.position().timeMillis(), row.useSchema(), row.text()));
                }
            }
            rows = pages.read(rows.get(rows.size() - 1).id(), Long.MAX_VALUE);
        }
        return recorded;
    }

    /** Whether an equal statement of the same second is one of them. */
    public boolean has(EventPosition at, SchemaRecorder.Ddl statement) {
        return statements.contains(AppliedStatements.key(at.timeMillis(), statement.sessionSchema(), statement.sql()));
    }
}
