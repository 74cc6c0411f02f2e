package io.sluice.parse.history;

import io.sluice.parse.schema.SchemaJournal;
import io.sluice.parse.schema.SchemaPoint;
import io.sluice.parse.schema.SchemaState;
import io.sluice.parse.schema.SchemaTracker;
import io.sluice.parse.schema.StatementChange;
import io.sluice.parse.schema.TableName;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The structures of one instance's tables at every position that its stream has passed.
 *
 * <p>A snapshot holds all structures before an event; a row holds a statement, or what the source said of a table, at an
 * event. The structures at a position are those of the newest snapshot that is not behind it, with the rows between both.
 * What is written is safe before the entry of its event can leave. For one thread, but for {@link #abort}.
 */
public final class SchemaHistory implements SchemaJournal, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaHistory.class);

    /** A statement is stamped with its start, and stands in the binlog where it ended: so much later at most. */
    private static final Duration LONGEST_STATEMENT = Duration.ofDays(2);

    /** So many rows are applied in about a second. */
    private static final int ROWS_BETWEEN_SNAPSHOTS = 10_000;

    private final HistoryConfig config;
    private final HistoryDatabase database;
    private final HistoryTables tables;
    private final Clock clock;
    private String source = "";
    private RecalledDefinitions recalled = new RecalledDefinitions();
    private AppliedStatements applied = new AppliedStatements();
    private long snapshotMillis;
    private int rowsSinceSnapshot;
    private long rowsWritten;

    SchemaHistory(HistoryConfig config, HistoryDatabase database, Clock clock) {
        this.config = config;
        this.database = database;
        this.tables = new HistoryTables(database, config.destination());
        this.clock = clock;
        this.snapshotMillis = clock.millis();
    }

    /**
     * Opens a history, and makes it if it is not there.
     *
     * @throws HistoryException if it cannot be used
     * @throws IOException if its server is away
     */
    public static SchemaHistory open(HistoryConfig config, Clock clock) throws IOException {
        HistoryDatabase database;
        if (config.place() instanceof HistoryPlace.MySql mysql) {
            database = new MySqlDatabase(mysql, config.user(), config.password());
        } else if (config.place() instanceof HistoryPlace.H2File file) {
            database = H2Database.open(file, config.user(), config.password());
        } else {
            throw new IllegalArgumentException("no database for " + config.place());
        }
        SchemaHistory history = new SchemaHistory(config, database, clock);
        try {
            history.tables.create();
            return history;
        } catch (IOException | RuntimeException e) {
            history.close();
            throw e;
        }
    }

    /** Whether nothing was ever written. */
    public boolean isEmpty() throws IOException {
        return tables.snapshots().isEmpty();
    }

    /** Whether something was written at or behind a position in the same binlog, so that all before that is known. */
    public boolean reaches(HistoryPoint point) throws IOException {
        for (HistoryRow row : tables.rows()) {
            if (row.stamp().isOfSameBinlog(point) && !row.stamp().isBefore(point)) {
                return true;
            }
        }
        for (HistorySnapshot snapshot : tables.snapshots()) {
            Stamp stamp = snapshot.stamp();
            if (!stamp.isFirst() && stamp.isOfSameBinlog(point) && !stamp.isBefore(point)) {
                return true;
            }
        }
        return false;
    }

    /** States whose binlog what is written from now on is about. */
    public void reading(String sourceOfEvents) {
        source = sourceOfEvents;
    }

    /**
     * Begins the history with the structures that the source has now: they hold for every position that no later
     * snapshot is made for.
     */
    public void begin(SchemaState state) throws IOException {
        write(Stamp.first(source), state);
    }

    /** Writes all structures as they are before the event at a position. */
    public void snapshot(HistoryPoint point, SchemaState state) throws IOException {
        long time = point.timeMillis() == 0 ? clock.millis() : point.timeMillis();
        write(new Stamp(source, point.file(), point.offset(), Long.toString(point.serverId()), time, ""), state);
    }

    private void write(Stamp stamp, SchemaState state) throws IOException {
        long begin = System.nanoTime();
        tables.add(stamp, state);
        snapshotMillis = clock.millis();
        rowsSinceSnapshot = 0;
        LOG.info(
                "wrote a snapshot of all structures: instance={} at={}:{} ms={}",
                config.destination(),
                stamp.file(),
                stamp.offset(),
                (System.nanoTime() - begin) / 1_000_000);
    }

    /**
     * Puts the structures of a position into a tracker.
     *
     * @param point from where the stream is about to be read
     */
    public void restore(SchemaTracker tracker, HistoryPoint point) throws IOException {
        long begin = System.nanoTime();
        HistorySnapshot base = null;
        for (HistorySnapshot snapshot : tables.snapshots()) {
            if (snapshot.stamp().isAtOrBefore(point) && (base == null || isNewer(snapshot.stamp(), base.stamp()))) {
                base = snapshot;
            }
        }
        tracker.restore(base == null ? new SchemaState(Map.of(), Map.of()) : tables.state(base));
        recalled = new RecalledDefinitions();
        applied = new AppliedStatements();
        List<HistoryRow> rows = inOrder(tables.rows());
        List<HistoryRow> toApply = new ArrayList<>();
        for (HistoryRow row : rows) {
            recalled.add(row, row.isDefinition() ? Set.of() : tracker.touched(row.text(), row.useSchema(), row.mode()));
            if (row.stamp().isBefore(point) && (base == null || !isCovered(row.stamp(), base.stamp()))) {
                toApply.add(row);
            }
        }
        int count = 0;
        Map<String, String> sourceOf = new HashMap<>();
        for (HistoryRow row : toApply) {
            String first = row.isDefinition()
                    ? null
                    : sourceOf.putIfAbsent(identity(row), row.stamp().source());
            if (first != null && !first.equals(row.stamp().source())) {
                continue; // the same transaction, read from another server
            }
            apply(tracker, row);
            applied.add(row, point);
            count++;
        }
        rowsSinceSnapshot = toApply.size();
        LOG.info(
                "the structures are those of the start position: instance={} start={} snapshot={}:{} statements={} tables={} ms={}",
                config.destination(),
                point,
                base == null ? "none" : base.stamp().file(),
                base == null ? 0 : base.stamp().offset(),
                count,
                tracker.tables().size(),
                (System.nanoTime() - begin) / 1_000_000);
    }

    private void apply(SchemaTracker tracker, HistoryRow row) throws IOException {
        Stamp stamp = row.stamp();
        tracker.moveTo(new SchemaPoint(
                stamp.file(),
                stamp.offset(),
                1,
                serverId(stamp),
                stamp.timeMillis(),
                row.extra().get(HistoryRow.GTID)));
        if (row.isDefinition()) {
            tracker.define(new TableName(row.sqlSchema(), row.sqlTable()), row.text());
        } else {
            tracker.replay(row.text(), row.useSchema(), row.mode());
        }
    }

    private static long serverId(Stamp stamp) {
        try {
            return Long.parseLong(stamp.masterId());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static String identity(HistoryRow row) {
        String gtid = row.extra().get(HistoryRow.GTID);
        String when = gtid == null ? Long.toString(row.stamp().timeMillis()) : gtid;
        return when + ' ' + row.useSchema() + ' ' + row.text();
    }

    /** Of two snapshots that both may be used. */
    private static boolean isNewer(Stamp stamp, Stamp than) {
        if (stamp.isFirst() || than.isFirst()) {
            return than.isFirst();
        }
        return stamp.source().equals(than.source())
                ? Stamp.IN_BINLOG.compare(stamp, than) > 0
                : stamp.timeMillis() > than.timeMillis();
    }

    /** Whether a snapshot holds what a row did. */
    private static boolean isCovered(Stamp row, Stamp snapshot) {
        if (snapshot.isFirst()) {
            return false;
        }
        return row.source().equals(snapshot.source())
                ? Stamp.IN_BINLOG.compare(row, snapshot) < 0
                : row.timeMillis() < snapshot.timeMillis();
    }

    /** The order in which they took effect: that of the binlog if it is one, else that of time. */
    private static List<HistoryRow> inOrder(List<HistoryRow> rows) {
        Map<String, Integer> sources = new HashMap<>();
        for (HistoryRow row : rows) {
            sources.putIfAbsent(row.stamp().source(), sources.size());
        }
        List<HistoryRow> ordered = new ArrayList<>(rows);
        ordered.sort((a, b) -> {
            int order = sources.size() == 1
                    ? 0
                    : Long.compare(a.stamp().timeMillis(), b.stamp().timeMillis());
            if (order == 0) {
                order = sources.getOrDefault(a.stamp().source(), 0)
                        .compareTo(sources.getOrDefault(b.stamp().source(), 0));
            }
            if (order == 0) {
                order = Stamp.IN_BINLOG.compare(a.stamp(), b.stamp());
            }
            return order != 0 ? order : Long.compare(a.id(), b.id());
        });
        return ordered;
    }

    @Override
    public boolean statement(SchemaPoint at, Statement statement, Supplier<SchemaState> before) throws IOException {
        if (applied.has(at, statement)) {
            LOG.info(
                    "a DDL stands in the schema history already, read from another server: instance={} at={}",
                    config.destination(),
                    at);
            return false;
        }
        if (isSnapshotDue()) {
            write(stamp(at), before.get());
            purge(at.timeMillis());
        }
        StatementChange first =
                statement.changes().isEmpty() ? null : statement.changes().get(0);
        append(
                at,
                new HistoryRow(
                        0,
                        stamp(at),
                        statement.sessionSchema(),
                        first == null || first.schema() == null ? "" : first.schema(),
                        first == null || first.table() == null ? "" : first.table(),
                        statement.sql(),
                        first == null ? "QUERY" : first.type().name(),
                        extra(at, Map.of(HistoryRow.MODE, statement.mode().toString()))));
        return true;
    }

    @Override
    public void definition(SchemaPoint at, TableName table, String createStatement) throws IOException {
        append(
                at,
                new HistoryRow(
                        0,
                        stamp(at),
                        table.schema(),
                        table.schema(),
                        table.table(),
                        createStatement,
                        "CREATE",
                        extra(at, Map.of(HistoryRow.KIND, HistoryRow.DEFINITION))));
    }

    @Override
    public @Nullable String recall(SchemaPoint at, TableName table) {
        return recalled.at(stamp(at), at.length(), table);
    }

    @Override
    public boolean changesLater(SchemaPoint at, TableName table) {
        return recalled.changesLater(stamp(at), at.length(), table);
    }

    private void append(SchemaPoint at, HistoryRow row) throws IOException {
        if (tables.add(row, at.length())) {
            rowsSinceSnapshot++;
            rowsWritten++;
        }
    }

    /** How many rows were written since it was opened. */
    public long rowsWritten() {
        return rowsWritten;
    }

    private Stamp stamp(SchemaPoint at) {
        return new Stamp(
                source,
                at.file(),
                at.offset(),
                Long.toString(at.serverId()),
                at.timeMillis(),
                at.gtid() == null ? "" : at.gtid());
    }

    private Map<String, String> extra(SchemaPoint at, Map<String, String> more) {
        Map<String, String> extra = new HashMap<>(more);
        extra.put(HistoryRow.SOURCE, source);
        if (at.gtid() != null) {
            extra.put(HistoryRow.GTID, at.gtid());
        }
        extra.values().removeIf(String::isEmpty);
        return extra;
    }

    private boolean isSnapshotDue() {
        long interval = config.snapshotInterval().toMillis();
        return interval > 0
                && rowsSinceSnapshot > 0
                && (clock.millis() - snapshotMillis >= interval || rowsSinceSnapshot >= ROWS_BETWEEN_SNAPSHOTS);
    }

    /** Deletes what no position needs that is younger than the time of expiry. */
    private void purge(long nowMillis) throws IOException {
        long expired = nowMillis - config.expire().toMillis();
        long kept = Stamp.FIRST_TIME;
        for (HistorySnapshot snapshot : tables.snapshots()) {
            if (snapshot.stamp().timeMillis() <= expired) {
                kept = Math.max(kept, snapshot.stamp().timeMillis());
            }
        }
        if (kept > 0) {
            tables.purge(kept, kept - LONGEST_STATEMENT.toMillis());
        }
    }

    /** Ends whatever it waits for, from any thread. */
    public void abort() {
        database.abort();
    }

    @Override
    public void close() {
        database.close();
    }
}
