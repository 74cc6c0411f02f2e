package io.sluice.schema.history;

import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.filter.FilterRules;
import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.HistoryException;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.database.MySqlDatabase;
import io.sluice.schema.history.restore.HistoryBeginnings;
import io.sluice.schema.history.restore.LostPart;
import io.sluice.schema.history.restore.ReadAgain;
import io.sluice.schema.history.restore.RecalledDefinitions;
import io.sluice.schema.history.restore.RecordedDdl;
import io.sluice.schema.history.restore.Restoration;
import io.sluice.schema.history.restore.RestoredSchemas;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.history.rows.HistoryRows;
import io.sluice.schema.history.rows.HistorySnapshot;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.table.TableName;
import java.io.IOException;
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
    private final HistoryBeginnings beginnings;
    private final Time time;
    private final HistoryWriter writer;
    private String source = "";
    private long epoch;
    private @Nullable Restoration restoring;
    private ReadAgain readAgain = ReadAgain.nothing();

    SchemaHistory(HistoryConfig config, HistoryDatabase database, Time time) {
        this.config = config;
        this.database = database;
        this.tables = new HistoryTables(database, config.destination());
        this.recorded = new RecordedDdl(tables, time);
        this.beginnings = new HistoryBeginnings(tables, recorded);
        this.time = time;
        this.writer = new HistoryWriter(config, database, tables, time);
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
            history.writer.open();
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

    /** Where it began, and which parts were skipped. */
    public HistoryBeginnings beginnings() {
        return beginnings;
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
        return writer.reference();
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
        writer.disown(lost);
    }

    /**
     * Sets the filter of the tables whose schemas are read from the source; it is written with every snapshot from now on.
     *
     * @param rules those of tables; columns do not matter; null if they are not known
     */
    public void setFilter(@Nullable FilterRules rules) {
        writer.setFilter(rules);
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
     *
     * @param state returns the table schemas
     */
    public void begin(StateSupplier state) throws IOException {
        writer.write(HistoryPosition.first(source), null, false, state);
    }

    /**
     * Writes all table schemas as they are before the event at a position.
     *
     * @param start has a file. If transactions decide what is read, the snapshot is for after these.
     * @param state returns the table schemas
     */
    public void snapshot(StreamStart start, StateSupplier state) throws IOException {
        snapshot(start, false, state);
    }

    /**
     * Writes all table schemas as they are before the event at a position, where DDL before it may be missing: nothing of it was read, or a part
     * was skipped.
     *
     * @param start also has a time, which no event before the position is after
     * @param state returns the table schemas
     */
    public void beginAt(StreamStart start, StateSupplier state) throws IOException {
        snapshot(start, true, state);
    }

    /** As {@link #begin(StateSupplier)}, with schemas that are in memory as texts. */
    public void begin(SchemaState state) throws IOException {
        begin(() -> state);
    }

    /** As {@link #snapshot(StreamStart, StateSupplier)}, with schemas that are in memory as texts. */
    public void snapshot(StreamStart start, SchemaState state) throws IOException {
        snapshot(start, () -> state);
    }

    /** As {@link #beginAt(StreamStart, StateSupplier)}, with schemas that are in memory as texts. */
    public void beginAt(StreamStart start, SchemaState state) throws IOException {
        beginAt(start, () -> state);
    }

    private void snapshot(StreamStart start, boolean isBeginning, StateSupplier state) throws IOException {
        long millis = start.timeMillis() == 0 ? time.millis() : start.timeMillis();
        writer.write(
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
    public void keepAfterLoss(StreamStart at, StateSupplier state) throws IOException {
        if (isGone() || tables.identity().isCutOff()) {
            beginAt(at, state);
        }
    }

    /** Whether its file was removed or replaced since it was opened. Asks the file system, not the database. */
    public boolean isGone() {
        return database.isGone();
    }

    /**
     * Reads what it has of the end of a binlog file that the source has lost, and that is not marked as lost yet.
     *
     * @param ofSource the identity of the server
     * @param ofEpoch which binlog of it, as in {@link #setSource(String, long)}
     * @param end where the file ends now, in bytes
     * @throws IOException if its server cannot be reached
     */
    public LostPart lostPart(String ofSource, long ofEpoch, String file, long end) throws IOException {
        return LostPart.of(tables, ofSource, ofEpoch, file, end);
    }

    /**
     * Marks what it has of a lost end of a binlog file: from there on the tables that the statements concern are read from the source again. The schemas
     * in a tracker are not changed; they are those of {@link #restore}.
     *
     * @throws IOException if its server cannot be reached; nothing has changed then
     */
    public void markLost(LostPart lost) throws IOException {
        tables.lose(lost.rows(), lost.snapshots());
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

    /**
     * Restores the table schemas for a stream that continues at a cursor.
     *
     * @param referredId the row to which the cursor at the start {@linkplain #reference refers}; 0 if there is none, this history does not hold
     *     it, or the cursor was moved since
     * @throws IOException if its server cannot be reached
     */
    public RestoredSchemas restore(SchemaTracker tracker, StreamStart start, long referredId) throws IOException {
        long begin = time.millis();
        Restoration restoration = new Restoration(tables, beginnings, tracker, start, referredId);
        restoring = restoration;
        writer.forgetReference();
        RestoredSchemas restored;
        try {
            restored = restoration.run();
        } finally {
            restoring = null;
        }
        readAgain = restoration.readAgain();
        writer.raiseReference(restoration.lastId());
        HistorySnapshot base = restoration.base();
        writer.continueAfter(restoration.rowsSinceBase());
        LOG.info(
                "the table schemas are those of the start position: instance={} start={} snapshot={}:{} statements={} tables={} ms={}",
                config.destination(),
                start,
                base == null ? "none" : base.position().file(),
                base == null ? 0 : base.position().offset(),
                restoration.rowsApplied(),
                tracker.catalog().tables().schemas().size(),
                time.millis() - begin);
        return restored;
    }

    @Override
    public boolean recordStatement(EventPosition at, Ddl statement, StateSupplier before) throws IOException {
        if (readAgain.applied().has(at, statement)) {
            LOG.info(
                    "a DDL is in the schema history already, read from another server: instance={} at={}",
                    config.destination(),
                    at);
            return false;
        }
        HistoryPosition position = position(at);
        writer.writeIfDue(position, before);
        HistoryRows.Added row = writer.append(at, HistoryRow.ofStatement(position, at.length(), statement), before);
        if (!row.written() && readAgain.ofCanal().has(row.id(), row.position(), position)) {
            LOG.info(
                    "a DDL is in the schema history already, written by canal: instance={} at={}",
                    config.destination(),
                    at);
            return false;
        }
        return true;
    }

    @Override
    public void recordDefinition(EventPosition at, TableName table, String createStatement, StateSupplier before)
            throws IOException {
        writer.append(at, HistoryRow.ofDefinition(position(at), at.length(), table, createStatement), before);
    }

    @Override
    public @Nullable String recall(EventPosition at, TableName table) throws IOException {
        Restoration running = restoring;
        RecalledDefinitions known = running == null ? readAgain.recalled() : running.all();
        long id = known.at(position(at), at.length(), table);
        String text = id == 0 ? null : tables.rows().text(id);
        if (text != null) {
            writer.raiseReference(id);
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

    /** How many rows were written since it was opened. */
    public long rowsWritten() {
        return writer.rowsWritten();
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

    /** Interrupts a pending operation, from any thread. */
    public void abort() {
        database.abort();
    }

    @Override
    public void close() {
        database.close();
    }
}
