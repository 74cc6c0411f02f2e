package io.sluice.schema.history;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What of other binlogs is after the start of a stream although its time is before that: from the first statement on that was found after the start. For
 * one thread.
 */
final class LaterRows {
    static final LaterRows NONE = new LaterRows();

    /** By the server of the binlog. */
    private final Map<String, RowPosition> first = new HashMap<>();

    /**
     * Finds it.
     *
     * @param rows those of other binlogs whose times are before the start
     * @param found the statements that come after the start
     */
    static LaterRows of(OrderedRows rows, LaterStatements found) throws IOException {
        Map<String, Map<Digest, List<RowPosition>>> equal = new HashMap<>();
        LaterRows later = new LaterRows();
        rows.forEach(row -> {
            int count = row.isDefinition() ? 0 : found.equalTo(row);
            if (count > 0) {
                List<RowPosition> same = equal.computeIfAbsent(binlogOf(row.position()), binlog -> new HashMap<>())
                        .computeIfAbsent(AppliedStatements.key(row), key -> new ArrayList<>(1));
                same.add(new RowPosition(row.id(), row.position()));
                if (same.size() > count) {
                    same.remove(0); // the last ones are those that come
                }
            }
        });
        equal.forEach((binlog, statements) ->
                statements.values().forEach(same -> later.first.merge(binlog, same.get(0), LaterRows::older)));
        return later;
    }

    private static RowPosition older(RowPosition one, RowPosition other) {
        return HistoryPosition.IN_BINLOG.compare(one.position(), other.position()) <= 0 ? one : other;
    }

    private static String binlogOf(HistoryPosition position) {
        return position.source().isEmpty() ? "server_id " + position.masterId() : position.source();
    }

    /** Whether a row or snapshot is at or after the first of these statements in its binlog. */
    boolean has(HistoryPosition position) {
        RowPosition from = first.get(binlogOf(position));
        return from != null && HistoryPosition.IN_BINLOG.compare(position, from.position()) >= 0;
    }

    /** Whether a snapshot has the effect of one of these statements. */
    boolean isIn(HistorySnapshot snapshot) {
        for (RowPosition from : first.values()) {
            boolean isOfSameBinlog = binlogOf(from.position()).equals(binlogOf(snapshot.position()));
            if (isOfSameBinlog
                    ? HistoryPosition.IN_BINLOG.compare(from.position(), snapshot.position()) < 0
                    : from.id() < snapshot.id() && snapshot.covers(from.position())) {
                return true;
            }
        }
        return false;
    }
}
