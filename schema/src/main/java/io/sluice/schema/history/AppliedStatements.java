package io.sluice.schema.history;

import io.sluice.schema.ddl.EventPosition;
import io.sluice.schema.ddl.SchemaRecorder;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The statements that are already applied to the table schemas although the stream may read them again: it was started by time in the
 * binlog of another server, which has them at other offsets.
 *
 * <p>Holds a digest of each, and none that is much older than the start of the stream.
 */
final class AppliedStatements {
    /** Where a statement was read again; null while it was not. */
    private final Map<Digest, @Nullable EventPosition> cameAt = new HashMap<>();

    /** Adds a row that was applied for a stream that begins at a position. */
    void add(HistoryRow row, StreamStart start) {
        if (!row.isDefinition() && !row.position().isFirst() && mayComeAgain(row.position(), start)) {
            cameAt.put(key(row.position().timeMillis(), row.useSchema(), row.text()), null);
        }
    }

    private static boolean mayComeAgain(HistoryPosition position, StreamStart start) {
        if (position.isOfSameBinlog(start)) {
            return position.source().isEmpty()
                    && position.file().equals(start.file())
                    && position.offset() == start.offset();
        }
        return start.timeMillis() == 0
                || position.timeMillis() >= start.timeMillis() - HistoryPosition.MAX_STATEMENT.toMillis();
    }

    /** Whether a statement is one of them; each is once, however often that event is read. */
    boolean has(EventPosition at, SchemaRecorder.Ddl statement) {
        if (cameAt.isEmpty()) {
            return false;
        }
        Digest key = key(at.timeMillis(), statement.sessionSchema(), statement.sql());
        if (!cameAt.containsKey(key)) {
            return false;
        }
        EventPosition before = cameAt.get(key);
        if (before == null) {
            cameAt.put(key, at);
        }
        return before == null || before.equals(at);
    }

    /** How many statements it holds. */
    int size() {
        return cameAt.size();
    }

    private static Digest key(long timeMillis, String schema, String text) {
        return Digest.of(Long.toString(timeMillis / 1000), schema, text);
    }
}
