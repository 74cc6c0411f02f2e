package io.sluice.parse.source;

import io.sluice.parse.filter.TableFilter;
import io.sluice.parse.history.HistoryPoint;
import io.sluice.parse.history.SchemaHistory;
import io.sluice.parse.schema.SchemaJournal;
import io.sluice.parse.schema.SchemaTracker;
import io.sluice.parse.schema.TableName;
import io.sluice.parse.schema.TableSchema;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a stream the structures of its start: from the schema history, and from the source what that does not have.
 *
 * <p>For one thread, but for {@link #abort}.
 */
final class Structures implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Structures.class);
    private static final int TABLES_PER_PROGRESS_LINE = 1_000;

    private final String instance;
    private final SourceQueries queries;
    private final TableFilter filter;
    private final SchemaOptions options;
    private final Duration fallback;
    private final Time time;
    private @Nullable SchemaTracker tracked;
    private volatile @Nullable SchemaHistory history;

    Structures(
            String instance,
            SourceQueries queries,
            TableFilter filter,
            SchemaOptions options,
            Duration fallback,
            Time time) {
        this.fallback = fallback;
        this.time = time;
        this.instance = instance;
        this.queries = queries;
        this.filter = filter;
        this.options = options;
    }

    /**
     * Makes a tracker that knows the tables as they are at a position.
     *
     * @param start where the stream begins
     * @param cursor where it got to when the history was written; null if it begins there for another reason
     * @throws IOException if the source or the history is away
     * @throws io.sluice.parse.history.HistoryException if the history cannot be used
     */
    SchemaTracker at(StartPoint start, @Nullable Cursor cursor, ServerFacts facts) throws IOException {
        SchemaHistory kept = history();
        SchemaTracker tracker = new SchemaTracker(
                new HeartbeatTables(queries), queries.traits(), kept == null ? SchemaJournal.NONE : kept);
        tracked = tracker;
        if (kept == null) {
            readAll(tracker::define);
            return tracker;
        }
        HistoryPoint point = point(start, cursor, facts);
        kept.reading(point.source());
        if (kept.isEmpty()) {
            readAll(tracker::define);
            kept.begin(tracker.state());
            return tracker;
        }
        kept.restore(tracker, point);
        if (cursor == null && !kept.reaches(point)) {
            LOG.info(
                    "the schema history may miss statements before the start position, comparing it with the source: instance={} start={}",
                    instance,
                    start);
            align(tracker);
            kept.snapshot(point.file().isEmpty() ? end(point, facts) : point, tracker.state());
        }
        TableFilter reloaded = options.reloaded();
        if (reloaded != null) {
            reload(tracker, reloaded);
            kept.snapshot(point.file().isEmpty() ? end(point, facts) : point, tracker.state());
        }
        return tracker;
    }

    /** Says whose binlog is read from now on. */
    void reading(String server) {
        SchemaHistory open = history;
        if (open != null) {
            open.reading(server);
        }
    }

    private @Nullable SchemaHistory history() throws IOException {
        SchemaHistory open = history;
        if (open == null && options.history() != null) {
            open = SchemaHistory.open(options.history(), Clock.systemUTC());
            history = open;
        }
        return open;
    }

    private HistoryPoint point(StartPoint start, @Nullable Cursor cursor, ServerFacts facts) throws IOException {
        if (cursor == null) {
            return point(start, facts, facts.serverId(), 0);
        }
        boolean isThere = cursor.position().equals(start.position());
        long millis =
                isThere || start.byGtids() ? cursor.timestampMillis() : cursor.timestampMillis() - fallback.toMillis();
        return point(start, facts, cursor.serverId(), millis);
    }

    private static HistoryPoint point(StartPoint start, ServerFacts facts, long serverId, long timeMillis)
            throws IOException {
        BinlogPosition position = start.position();
        return new HistoryPoint(
                facts.identity(),
                position == null ? "" : position.file(),
                position == null ? 0 : position.offset(),
                serverId,
                timeMillis,
                start.executed(),
                start.byGtids());
    }

    /**
     * Puts the tracker back to an earlier time, since another server is read from there.
     *
     * @param knownMillis when the newest event was written that was read before
     */
    void wentBack(StartPoint start, ServerFacts facts, long knownMillis) throws IOException {
        SchemaHistory kept = history;
        if (kept != null && tracked != null) {
            kept.restore(tracked, point(start, facts, facts.serverId(), knownMillis - fallback.toMillis()));
        }
    }

    /** Brings the tracker to the structures of now, since events were passed over that may have changed them. */
    void jumped(StartPoint start, ServerFacts facts) throws IOException {
        SchemaTracker tracker = tracked;
        SchemaHistory kept = history;
        if (tracker != null) {
            align(tracker);
            if (kept != null) {
                HistoryPoint point = point(start, facts, facts.serverId(), 0);
                kept.reading(point.source());
                kept.snapshot(point.file().isEmpty() ? end(point, facts) : point, tracker.state());
            }
        }
    }

    /** A position in a file for one that only transactions name: what is written must have one. */
    private static HistoryPoint end(HistoryPoint point, ServerFacts facts) throws IOException {
        BinlogPosition end = facts.end().position();
        return new HistoryPoint(point.source(), end.file(), end.offset(), point.serverId(), point.timeMillis());
    }

    /** Takes tables as the source has them now, since an operator says so. */
    private void reload(SchemaTracker tracker, TableFilter reloaded) throws IOException {
        for (TableSchema table : List.copyOf(tracker.tables())) {
            TableName name = table.name();
            if (reloaded.passes(name.schema(), name.table())) {
                tracker.forget(name);
            }
        }
        List<TableName> tables = queries.tables(filter).stream()
                .filter(name -> reloaded.passes(name.schema(), name.table()))
                .toList();
        for (Map.Entry<TableName, String> definition :
                queries.createStatements(tables).entrySet()) {
            tracker.define(definition.getKey(), definition.getValue());
        }
        LOG.warn(
                "the structures of tables were taken from the source as canal.instance.schema.reload says, remove that key now: instance={} tables={}",
                instance,
                tables);
    }

    /** What is done with a table's definition. */
    private interface Taker {
        void take(TableName table, String createStatement) throws IOException;
    }

    /** Takes from the source what differs there; what is gone there is forgotten. */
    private void align(SchemaTracker tracker) throws IOException {
        Set<TableName> there = new HashSet<>();
        readAll((table, create) -> {
            there.add(table);
            tracker.align(table, create);
        });
        for (TableSchema table : List.copyOf(tracker.tables())) {
            TableName name = table.name();
            if (!there.contains(name) && filter.passes(name.schema(), name.table())) {
                tracker.forget(name);
            }
        }
    }

    private void readAll(Taker taker) throws IOException {
        long begin = time.nanos();
        List<TableName> tables = queries.tables(filter);
        LOG.info("reading the structures of all tables: instance={} tables={}", instance, tables.size());
        for (int from = 0; from < tables.size(); from += TABLES_PER_PROGRESS_LINE) {
            int to = Math.min(tables.size(), from + TABLES_PER_PROGRESS_LINE);
            for (Map.Entry<TableName, String> definition :
                    queries.createStatements(tables.subList(from, to)).entrySet()) {
                taker.take(definition.getKey(), definition.getValue());
            }
            LOG.info(
                    "reading the structures of all tables: instance={} done={} of={} ms={}",
                    instance,
                    to,
                    tables.size(),
                    (time.nanos() - begin) / 1_000_000);
        }
    }

    /** Ends whatever it waits for, from any thread. */
    void abort() {
        SchemaHistory open = history;
        if (open != null) {
            open.abort();
        }
    }

    @Override
    public void close() {
        SchemaHistory open = history;
        history = null;
        if (open != null) {
            open.close();
        }
    }
}
