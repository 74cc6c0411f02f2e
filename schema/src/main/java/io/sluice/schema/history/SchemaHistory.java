package io.sluice.schema.history;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.EventPosition;
import io.sluice.schema.ddl.SchemaRecorder;
import io.sluice.schema.ddl.SchemaState;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.FilterRules;
import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.HistoryException;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.database.HistoryRejectedException;
import io.sluice.schema.history.database.MySqlDatabase;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schemas of one instance's tables at every position that its stream has passed.
 *
 * <p>A snapshot holds all table schemas before an event; a row holds a statement, or the definition of a table on the source, at an event.
 * The table schemas at a position are those of the newest snapshot that is not after it, with the rows between both.
 * What is written is safe before the entry of its event can leave. For one thread, but for {@link #abort}.
 */
public final class SchemaHistory implements SchemaRecorder, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaHistory.class);

    private final HistoryConfig config;
    private final HistoryDatabase database;
    private final HistoryTables tables;
    private final RecordedDdl recorded;
    private final Time time;
    private final SnapshotSchedule snapshots;
    private String source = "";
    private long epoch;
    private boolean hasWarnedOfOthers;
    private @Nullable Restoration restoring;
    private ReadAgain readAgain = ReadAgain.nothing();
    private SchemaReference reference = new SchemaReference("", 0, BinlogPosition.UNKNOWN);
    private @Nullable FilterRules filter;
    private long rowsWritten;

    SchemaHistory(HistoryConfig config, HistoryDatabase database, Time time) {
        this.config = config;
        this.database = database;
        this.tables = new HistoryTables(database, config.destination());
        this.recorded = new RecordedDdl(tables, time);
        this.time = time;
        this.snapshots = new SnapshotSchedule(config.snapshotInterval(), time);
    }

    /**
     * Opens a history, and creates it if there is none.
     *
     * @throws HistoryException if it cannot be used
     * @throws IOException if its server cannot be reached
     */
    public static SchemaHistory open(HistoryConfig config, Time time) throws IOException {
        HistoryDatabase database;
        if (config.location() instanceof HistoryLocation.MySql mysql) {
            database = new MySqlDatabase(mysql, config.user(), config.password());
        } else if (config.location() instanceof HistoryLocation.LocalFile file) {
            database = LocalHistory.open(file, config);
        } else {
            throw new IllegalArgumentException("no database for " + config.location());
        }
        return open(config, database, time);
    }

    /** Opens the history in a database, and creates it if there is none; closes the database if that fails. */
    static SchemaHistory open(HistoryConfig config, HistoryDatabase database, Time time) throws IOException {
        SchemaHistory history = new SchemaHistory(config, database, time);
        try {
            history.tables.create();
            history.reference = new SchemaReference(history.tables.identity().historyId(), 0, BinlogPosition.UNKNOWN);
            return history;
        } catch (IOException | RuntimeException e) {
            history.close();
            throw e;
        }
    }

    /** Of which binlogs it has DDL, and how far it reaches. */
    public RecordedDdl recorded() {
        return recorded;
    }

    /**
     * A reference, without a position, to the newest row or snapshot on which the current table schemas depend: the newest of those that were restored, were
     * written, or were found to be there already when their event was read again, since the last {@link #restore}.
     *
     * <p>A cursor that is saved with it can be checked at the next start: a history that does not {@linkplain #holds hold} it lacks rows
     * that were known when the cursor was saved, or is another one. The database is not asked.
     */
    @Override
    public SchemaReference reference() {
        return reference;
    }

    /**
     * Whether this history has everything up to a reference: it is the same history, and has reached that id. Rows that were purged since
     * count as there, since a snapshot holds their effect. The database is asked each time.
     *
     * @throws IOException if its server cannot be reached
     */
    public boolean holds(SchemaReference wanted) throws IOException {
        return tables.identity().historyId().equals(wanted.historyId())
                && tables.identity().lastId() >= wanted.rowId();
    }

    /**
     * Prepares for writing after a reference was found that this history does not hold. If it is a reference to this history, rows were lost, and
     * their ids will be used again for other rows. So the history gets another identity, which no reference from before has.
     *
     * @throws IOException if its server cannot be reached
     */
    public void disown(SchemaReference lost) throws IOException {
        if (reference.historyId().equals(lost.historyId())) {
            reference = new SchemaReference(
                    tables.identity().renew(lost.historyId()), reference.rowId(), BinlogPosition.UNKNOWN);
        }
    }

    /**
     * Sets the filter of the tables whose schemas are read from the source; it is written with every snapshot from now on.
     *
     * @param rules those of tables; columns do not matter; null if they are not known
     */
    public void setFilter(@Nullable FilterRules rules) {
        filter = rules;
    }

    /** Sets the server to whose binlog the positions belong that are written from now on; no reset of its binlog is known. */
    public void setSource(String sourceOfEvents) {
        setSource(sourceOfEvents, 0);
    }

    /**
     * Sets the binlog to which the positions belong that are written from now on.
     *
     * @param epochOfBinlog which binlog of the server it is, from reset to reset; larger than that of older ones, and 0 if no reset is known
     */
    public void setSource(String sourceOfEvents, long epochOfBinlog) {
        source = sourceOfEvents;
        epoch = epochOfBinlog;
    }

    /**
     * Begins the history with the table schemas that the source has now: they hold for every position that no later
     * snapshot is made for.
     */
    public void begin(SchemaState state) throws IOException {
        write(HistoryPosition.first(source), null, false, state);
    }

    /**
     * Writes all table schemas as they are before the event at a position.
     *
     * @param start has a file. If transactions decide what is read, the snapshot is for after these.
     */
    public void snapshot(StreamStart start, SchemaState state) throws IOException {
        snapshot(start, false, state);
    }

    /**
     * The same where DDL before the position may be missing, as nothing of it was read, or a part was skipped.
     *
     * @param start also has a time, which no event before the position is after
     */
    public void beginAt(StreamStart start, SchemaState state) throws IOException {
        snapshot(start, true, state);
    }

    private void snapshot(StreamStart start, boolean isBeginning, SchemaState state) throws IOException {
        long millis = start.timeMillis() == 0 ? time.millis() : start.timeMillis();
        write(
                new HistoryPosition(
                        source,
                        start.file(),
                        start.offset(),
                        Long.toString(start.serverId()),
                        millis,
                        "",
                        epoch,
                        start.fileBegunSeconds()),
                start.byTransactions() ? start.executed() : null,
                isBeginning,
                state);
    }

    /**
     * Writes all table schemas as they are at a position, if rows were lost since this history was opened, on which they may depend: what is restored next
     * would be without them.
     *
     * @param at as in {@link #beginAt}; up to there the stream was read
     * @param state returns the table schemas
     * @throws IOException if its server cannot be reached
     */
    public void keepAfterLoss(StreamStart at, Supplier<SchemaState> state) throws IOException {
        if (isGone() || tables.identity().isCutOff()) {
            beginAt(at, state.get());
        }
    }

    /** Whether its file was removed or replaced since it was opened. Asks the file system, not the database. */
    public boolean isGone() {
        return database.isGone();
    }

    private void warnOfLoss(HistoryPosition at) {
        LOG.warn(
                "the schema history has lost its newest rows while this instance ran, all table schemas were written to it again: instance={} history={} at={}:{}",
                config.destination(),
                database.location(),
                at.file(),
                at.offset());
    }

    private void raiseReference(long id) {
        String historyId = tables.identity().knownHistoryId();
        if (id > reference.rowId() || !historyId.equals(reference.historyId())) {
            reference = new SchemaReference(historyId, id, BinlogPosition.UNKNOWN);
        }
    }

    private void write(HistoryPosition position, @Nullable GtidSet executed, boolean isBeginning, SchemaState state)
            throws IOException {
        long begin = time.millis();
        String historyId = tables.identity().knownHistoryId();
        Map<String, String> notes = new HashMap<>(state.notes());
        notes.put(HistorySnapshot.WRITTEN, Long.toString(begin));
        SchemaState noted = SnapshotFilter.with(new SchemaState(state.definitions(), notes), filter);
        raiseReference(tables.add(position, executed, isBeginning, noted));
        if (!historyId.equals(tables.identity().knownHistoryId())) {
            warnOfLoss(position);
        }
        snapshots.restart();
        LOG.info(
                "wrote a snapshot of all table schemas: instance={} at={}:{} ms={}",
                config.destination(),
                position.file(),
                position.offset(),
                time.millis() - begin);
    }

    /**
     * Puts the table schemas of a position into a tracker.
     *
     * @param start from where the stream is about to be read
     * @throws IOException if its server cannot be reached
     */
    public RestoredSchemas restore(SchemaTracker tracker, StreamStart start) throws IOException {
        return restore(tracker, start, 0);
    }

    /** When the newest snapshot was written, by the clock of this machine; now if that is not known, as of canal's. */
    private long newestWrittenMillis() throws IOException {
        long newest = 0;
        for (HistorySnapshot snapshot : tables.snapshots()) {
            newest = Math.max(newest, snapshot.writtenMillis());
        }
        return newest == 0 ? time.millis() : newest;
    }

    /**
     * The same for a stream that continues at a cursor.
     *
     * @param referredId the row to which the cursor at the start {@linkplain #reference refers}; 0 if there is none, this history does not hold
     *     it, or the cursor was moved since
     * @throws IOException if its server cannot be reached
     */
    public RestoredSchemas restore(SchemaTracker tracker, StreamStart start, long referredId) throws IOException {
        long begin = time.millis();
        Restoration restoration = new Restoration(tables, recorded, tracker, start, referredId);
        restoring = restoration;
        reference = new SchemaReference(reference.historyId(), 0, BinlogPosition.UNKNOWN);
        RestoredSchemas restored;
        try {
            restored = restoration.run();
        } finally {
            restoring = null;
        }
        readAgain = restoration.readAgain();
        raiseReference(restoration.lastId());
        HistorySnapshot base = restoration.base();
        snapshots.continueFrom(newestWrittenMillis(), restoration.rowsSinceBase());
        LOG.info(
                "the table schemas are those of the start position: instance={} start={} snapshot={}:{} statements={} tables={} ms={}",
                config.destination(),
                start,
                base == null ? "none" : base.position().file(),
                base == null ? 0 : base.position().offset(),
                restoration.rowsApplied(),
                tracker.tables().size(),
                time.millis() - begin);
        return restored;
    }

    @Override
    public boolean recordStatement(EventPosition at, Ddl statement, Supplier<SchemaState> before) throws IOException {
        if (readAgain.applied().has(at, statement)) {
            LOG.info(
                    "a DDL is in the schema history already, read from another server: instance={} at={}",
                    config.destination(),
                    at);
            return false;
        }
        if (snapshots.isDue()) {
            writeDueSnapshot(at, before.get());
        }
        HistoryTables.Added row = append(at, HistoryRow.ofStatement(position(at), at.length(), statement), before);
        if (!row.written() && readAgain.ofCanal().has(row.id(), row.position(), position(at))) {
            LOG.info(
                    "a DDL is in the schema history already, written by canal: instance={} at={}",
                    config.destination(),
                    at);
            return false;
        }
        return true;
    }

    @Override
    public void recordDefinition(
            EventPosition at, TableName table, String createStatement, Supplier<SchemaState> before)
            throws IOException {
        append(at, HistoryRow.ofDefinition(position(at), at.length(), table, createStatement), before);
    }

    @Override
    public @Nullable String recall(EventPosition at, TableName table) throws IOException {
        Restoration running = restoring;
        RecalledDefinitions known = running == null ? readAgain.recalled() : running.all();
        long id = known.at(position(at), at.length(), table);
        String text = id == 0 ? null : tables.text(id);
        if (text != null) {
            raiseReference(id);
        }
        return text;
    }

    @Override
    public @Nullable String recallCharset(EventPosition at) {
        return readAgain.recalled().charsetAt(position(at).binlog(), at.file(), at.offset());
    }

    @Override
    public boolean changesLater(EventPosition at, TableName table) {
        return readAgain.recalled().changesLater(position(at), at.length(), table);
    }

    private HistoryTables.Added append(EventPosition at, HistoryRow row, Supplier<SchemaState> before)
            throws IOException {
        HistoryTables.Added added = tables.add(row, at.length());
        while (added == null) {
            write(position(at), null, true, before.get());
            added = tables.add(row, at.length());
        }
        raiseReference(added.id());
        if (added.written()) {
            snapshots.countRow();
            rowsWritten++;
        }
        if (tables.identity().takeWrittenByOthers() && !hasWarnedOfOthers) {
            hasWarnedOfOthers = true;
            LOG.warn(
                    "another process writes to the schema history of this instance: if it is not a server of this cluster that has just lost the destination,"
                            + " each deployment needs a schema of its own: instance={} history={} at={}",
                    config.destination(),
                    database.location(),
                    at);
        }
        return added;
    }

    /** How many rows were written since it was opened. */
    public long rowsWritten() {
        return rowsWritten;
    }

    private HistoryPosition position(EventPosition at) {
        return new HistoryPosition(
                source(),
                at.file(),
                at.offset(),
                Long.toString(at.serverId()),
                at.timeMillis(),
                at.gtid() == null ? "" : at.gtid(),
                epoch(),
                at.fileBegunSeconds());
    }

    private long epoch() {
        Restoration running = restoring;
        return running == null ? epoch : running.epoch();
    }

    /** The server in whose binlog the event is. */
    private String source() {
        Restoration running = restoring;
        return running == null ? source : running.source();
    }

    /** Without it the stream is read on: it only has the next starts apply fewer rows. */
    private void writeDueSnapshot(EventPosition at, SchemaState state) throws IOException {
        try {
            write(position(at), null, false, state);
            purge(at.timeMillis());
        } catch (HistoryRejectedException e) {
            if (e.isOfOtherTransaction()) {
                throw e; // it is attempted again
            }
            snapshots.restart();
            LOG.warn(
                    "a snapshot of all table schemas cannot be written, so the next start reads the DDL since the one before, and none is removed that has expired:"
                            + " instance={} cause={} remedy={}",
                    config.destination(),
                    e.getMessage(),
                    e.remedy());
        }
    }

    /** Deletes what no position needs that is younger than the time of expiry; an event may have a time in the future, or in the past. */
    private void purge(long eventMillis) throws IOException {
        long nowMillis = Math.min(eventMillis, time.millis());
        long kept = tables.newestSnapshotUpTo(nowMillis - config.expire().toMillis());
        if (kept > 0) {
            tables.purge(kept, kept - HistoryPosition.MAX_STATEMENT.toMillis(), tables.idOfSnapshot(kept));
        }
    }

    /** Interrupts a pending operation, from any thread. */
    public void abort() {
        database.abort();
    }

    @Override
    public void close() {
        database.close();
    }
}
