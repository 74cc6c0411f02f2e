package io.sluice.schema.history.restore;

import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.history.rows.StreamStart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The statements that are already applied to the table schemas although the stream may read them again: it was started by time in the
 * binlog of another server, which has them at other offsets.
 *
 * <p>Holds a digest of each, and none that is much older than the start of the stream, or whose transaction will not be read.
 */
public final class AppliedStatements {
    /** A statement that was applied. */
    private static final class Applied {
        private final String gtid;
        /** Where it was read again; null while it was not. */
        private @Nullable EventPosition cameAt;

        Applied(String gtid) {
            this.gtid = gtid;
        }

        boolean mayBeOf(EventPosition at) {
            return cameAt == null && (gtid.isEmpty() || at.gtid() == null || gtid.equals(at.gtid()));
        }
    }

    /** The applied statements by their digests: several if equal statements were executed in one second. */
    private final Map<Digest, List<Applied>> statements = new HashMap<>();

    /** Adds a row that was applied for a stream that begins at a position. */
    void add(HistoryRow row, StreamStart start) throws IOException {
        if (!row.isDefinition() && !row.position().isFirst() && mayComeAgain(row.position(), start)) {
            statements
                    .computeIfAbsent(
                            key(row.position().timeMillis(), row.useSchema(), row.text()), key -> new ArrayList<>(1))
                    .add(new Applied(row.position().gtid()));
        }
    }

    private static boolean mayComeAgain(HistoryPosition position, StreamStart start) throws IOException {
        if (position.isOfSameBinlog(start)) {
            return position.source().isEmpty()
                    && position.file().equals(start.file())
                    && position.offset() == start.offset();
        }
        if (Boolean.TRUE.equals(start.passed(position.gtid()))) {
            return false;
        }
        return start.timeMillis() == 0
                || position.timeMillis() >= start.timeMillis() - HistoryPosition.MAX_STATEMENT.toMillis();
    }

    /** Whether a statement is one of them; each is once, however often that event is read. */
    public boolean has(EventPosition at, SchemaRecorder.Ddl statement) {
        if (statements.isEmpty()) {
            return false;
        }
        List<Applied> equal =
                statements.getOrDefault(key(at.timeMillis(), statement.sessionSchema(), statement.sql()), List.of());
        if (equal.stream().anyMatch(one -> at.equals(one.cameAt))) {
            return true;
        }
        for (Applied one : equal) {
            if (one.mayBeOf(at)) {
                one.cameAt = at;
                return true;
            }
        }
        return false;
    }

    /** How many statements it holds. */
    int size() {
        return statements.values().stream().mapToInt(List::size).sum();
    }

    /** A key of a statement, equal in the binlogs of all servers that have executed it. */
    static Digest key(long timeMillis, String schema, String text) {
        return Digest.of(Long.toString(timeMillis / 1000), schema, text);
    }
}
