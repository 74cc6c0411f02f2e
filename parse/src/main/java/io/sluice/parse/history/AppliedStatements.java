package io.sluice.parse.history;

import io.sluice.parse.schema.SchemaJournal;
import io.sluice.parse.schema.SchemaPoint;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statements that the structures hold although a stream may bring them again: it was begun by time in the binlog of
 * another server, which says the same at other offsets.
 */
final class AppliedStatements {
    /** Where a statement came again; null while it has not. */
    private final Map<String, @Nullable SchemaPoint> cameAt = new HashMap<>();

    /** Takes a row that was applied for a stream that begins at a position. */
    void add(HistoryRow row, HistoryPoint start) {
        if (!row.isDefinition() && !row.stamp().isFirst() && mayComeAgain(row.stamp(), start)) {
            cameAt.put(key(row.stamp().timeMillis(), row.useSchema(), row.text()), null);
        }
    }

    private static boolean mayComeAgain(Stamp stamp, HistoryPoint start) {
        return !stamp.isOfSameBinlog(start)
                || stamp.source().isEmpty() && stamp.file().equals(start.file()) && stamp.offset() == start.offset();
    }

    /** Whether a statement is one of them; each is once, however often that event is read. */
    boolean has(SchemaPoint at, SchemaJournal.Statement statement) {
        String key = key(at.timeMillis(), statement.sessionSchema(), statement.sql());
        if (!cameAt.containsKey(key)) {
            return false;
        }
        SchemaPoint before = cameAt.get(key);
        if (before == null) {
            cameAt.put(key, at);
        }
        return before == null || before.equals(at);
    }

    private static String key(long timeMillis, String schema, String text) {
        return timeMillis / 1000 + " " + schema + " " + text;
    }
}
