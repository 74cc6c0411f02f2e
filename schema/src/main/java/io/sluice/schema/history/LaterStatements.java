package io.sluice.schema.history;

import io.sluice.schema.ddl.EventPosition;
import io.sluice.schema.ddl.SchemaRecorder;
import java.util.HashMap;
import java.util.Map;

/**
 * Statements that were found in the binlog of a server from a position on: they come after it, whatever their times are. A DDL has the time at which
 * it began, by the clock of the server that executed it, so it may be older than rows before it. For one thread.
 */
public final class LaterStatements {
    /** None. */
    static final LaterStatements NONE = new LaterStatements();

    private final Map<Digest, Integer> counts = new HashMap<>();

    /** Adds one. */
    public void add(EventPosition at, SchemaRecorder.Ddl statement) {
        counts.merge(
                AppliedStatements.key(at.timeMillis(), statement.sessionSchema(), statement.sql()), 1, Integer::sum);
    }

    boolean isEmpty() {
        return counts.isEmpty();
    }

    /** How many equal statements of the same second as that of a row there are. */
    int equalTo(HistoryRow row) {
        return counts.getOrDefault(AppliedStatements.key(row), 0);
    }
}
