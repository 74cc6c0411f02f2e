package io.sluice.schema.history;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.filter.FilterRules;
import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.HistoryRejectedException;
import io.sluice.schema.history.restore.SnapshotFilter;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.history.rows.HistoryRows;
import io.sluice.schema.history.rows.HistorySnapshot;
import io.sluice.schema.history.rows.HistoryTables;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the rows and snapshots of a history, and refers to the newest of them on which the current table schemas depend. For one thread. */
final class HistoryWriter {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryWriter.class);

    private final HistoryConfig config;
    private final HistoryDatabase database;
    private final HistoryTables tables;
    private final Time time;
    private final SnapshotSchedule snapshots;
    private SchemaReference reference = new SchemaReference("", 0, BinlogPosition.UNKNOWN);
    private @Nullable FilterRules filter;
    private boolean hasWarnedOfOthers;
    private long rowsWritten;

    HistoryWriter(HistoryConfig config, HistoryDatabase database, HistoryTables tables, Time time) {
        this.config = config;
        this.database = database;
        this.tables = tables;
        this.time = time;
        this.snapshots = new SnapshotSchedule(config.snapshotInterval(), time);
    }

    /** States that the tables are there. */
    void open() throws IOException {
        reference = new SchemaReference(tables.identity().historyId(), 0, BinlogPosition.UNKNOWN);
    }

    /** As {@link SchemaHistory#reference}. */
    SchemaReference reference() {
        return reference;
    }

    /** As {@link SchemaHistory#disown}. */
    void disown(SchemaReference lost) throws IOException {
        if (reference.historyId().equals(lost.historyId())) {
            reference = new SchemaReference(
                    tables.identity().renew(lost.historyId()), reference.rowId(), BinlogPosition.UNKNOWN);
        }
    }

    /** States that the table schemas are being replaced, and depend on nothing that is written. */
    void forgetReference() {
        reference = new SchemaReference(reference.historyId(), 0, BinlogPosition.UNKNOWN);
    }

    /** States that the table schemas depend on a row or snapshot. */
    void raiseReference(long id) {
        String historyId = tables.identity().knownHistoryId();
        if (id > reference.rowId() || !historyId.equals(reference.historyId())) {
            reference = new SchemaReference(historyId, id, BinlogPosition.UNKNOWN);
        }
    }

    /** As {@link SchemaHistory#setFilter}. */
    void setFilter(@Nullable FilterRules rules) {
        filter = rules;
    }

    /** Continues to write after a restore from a snapshot and so many rows after it. */
    void continueAfter(int rowsSinceSnapshot) throws IOException {
        snapshots.continueFrom(newestWrittenMillis(), rowsSinceSnapshot);
    }

    /** When the newest snapshot was written, by the clock of this machine; now if that is not known, as of canal's. */
    private long newestWrittenMillis() throws IOException {
        long newest = 0;
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            newest = Math.max(newest, snapshot.writtenMillis());
        }
        return newest == 0 ? time.millis() : newest;
    }

    /**
     * Writes a snapshot.
     *
     * @param executed the transactions whose DDL it holds; null if the position decides
     * @param isBeginning whether DDL before it may be missing
     * @param state returns the table schemas
     */
    void write(
            HistoryPosition position,
            @Nullable GtidSet executed,
            boolean isBeginning,
            SchemaRecorder.StateSupplier state)
            throws IOException {
        long begin = time.millis();
        String historyId = tables.identity().knownHistoryId();
        raiseReference(tables.snapshots().add(position, executed, isBeginning, () -> noted(state.get(), begin)));
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

    private SchemaState noted(SchemaState state, long writtenMillis) {
        Map<String, String> notes = new HashMap<>(state.notes());
        notes.put(HistorySnapshot.WRITTEN, Long.toString(writtenMillis));
        return SnapshotFilter.with(new SchemaState(state.definitions(), notes), filter);
    }

    private void warnOfLoss(HistoryPosition at) {
        LOG.warn(
                "the schema history has lost its newest rows while this instance ran, all table schemas were written to it again: instance={} history={} at={}:{}",
                config.destination(),
                database.location(),
                at.file(),
                at.offset());
    }

    /**
     * Writes a snapshot before an event if one is due, and deletes what has expired. Without it the stream is read on: it only has the next starts apply fewer
     * rows.
     *
     * @param before returns the table schemas before the event
     */
    void writeIfDue(HistoryPosition event, SchemaRecorder.StateSupplier before) throws IOException {
        if (!snapshots.isDue()) {
            return;
        }
        try {
            write(event, null, false, before);
            purge(event.timeMillis());
        } catch (SourceException e) {
            boolean isRejected = e instanceof HistoryRejectedException rejected && !rejected.isOfOtherTransaction();
            if (!isRejected && !(e.getCause() instanceof ResultTooLargeException)) {
                throw e; // it is attempted again
            }
            if (isRejected) {
                snapshots.restart();
            } else {
                snapshots.postpone();
            }
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
        long kept = tables.snapshots().newestUpTo(nowMillis - config.expire().toMillis());
        if (kept > 0) {
            tables.purge(
                    kept,
                    kept - HistoryPosition.MAX_STATEMENT.toMillis(),
                    tables.snapshots().idOf(kept));
        }
    }

    /**
     * Writes the row of an event.
     *
     * @param before returns the table schemas before the event
     * @return the row, or the equal one that was there
     */
    HistoryRows.Added append(EventPosition at, HistoryRow row, SchemaRecorder.StateSupplier before) throws IOException {
        HistoryRows.Added added = tables.rows().add(row, at.length());
        while (added == null) {
            write(row.position(), null, true, before);
            added = tables.rows().add(row, at.length());
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

    /** How many rows were written since the history was opened. */
    long rowsWritten() {
        return rowsWritten;
    }
}
