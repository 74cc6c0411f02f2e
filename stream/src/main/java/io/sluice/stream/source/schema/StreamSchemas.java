package io.sluice.stream.source.schema;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.restore.RestoredSchemas;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceQueries;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The table schemas of a stream: made for its start, moved with its position, and kept in the schema history.
 *
 * <p>Without a history they are those that the source has at the start. For one thread, but for {@link #abort} and {@link #filterChange}.
 */
public final class StreamSchemas implements AutoCloseable {
    private final SchemaOptions options;
    private final HistoryOpener histories;
    private final SchemaEnvironment environment;
    private final StreamedDefinitions definitions;
    private final SchemaMove move;
    private final RemovedHistory removed;
    private @Nullable SchemaTracker tracked;
    private @Nullable EventReader reader;
    private volatile @Nullable FilterChange filterChange;
    private volatile @Nullable SchemaHistory history;

    public StreamSchemas(
            String instance,
            SourceQueries queries,
            TableFilter filter,
            SchemaOptions options,
            HistoryOpener histories,
            Time time) {
        this.options = options;
        this.histories = histories;
        this.environment = SchemaEnvironment.of(instance, queries, filter, options, time);
        this.definitions = new StreamedDefinitions(queries, environment.search());
        this.move = new SchemaMove(environment);
        this.removed = new RemovedHistory(instance);
    }

    /**
     * Makes a tracker with the table schemas of a position.
     *
     * @param start where the stream begins
     * @param cursor where it got to when the history was written; null if it begins there for another reason
     * @throws IOException if the source or the history cannot be reached
     * @throws io.sluice.schema.history.database.HistoryException if the history cannot be used
     */
    public SchemaTracker trackerAt(DumpStart start, @Nullable Cursor cursor, SourceConnection connection)
            throws IOException {
        SchemaHistory kept = history();
        definitions.moveTo(connection);
        SchemaTracker tracker = new SchemaTracker(
                definitions, environment.queries().traits(), kept == null ? SchemaRecorder.NONE : kept);
        release();
        tracked = tracker;
        boolean isMade = false;
        try {
            make(tracker, kept, start, cursor, connection);
            isMade = true;
            return tracker;
        } finally {
            if (!isMade) { // until the next attempt other instances have the heap
                release();
                tracked = null;
            }
        }
    }

    private void make(
            SchemaTracker tracker,
            @Nullable SchemaHistory kept,
            DumpStart start,
            @Nullable Cursor cursor,
            SourceConnection connection)
            throws IOException {
        acceptPresent(tracker, kept);
        if (kept == null) {
            tracker.catalog().tables().spellAsSource(); // as after the next start, when all are from the source
            environment.source().define(tracker.catalog());
            return;
        }
        StreamStart streamStart = environment.starts().continued(start, cursor, connection);
        kept.setSource(streamStart.source(), environment.binlog().epoch());
        SchemaReference referred = cursor == null ? null : cursor.schema();
        boolean isHeld = referred != null && kept.holds(referred);
        disownWhatIsLost(kept, referred);
        SchemaStart made = new SchemaStart(environment, kept, tracker, start, cursor, connection);
        if (kept.recorded().isEmpty()) {
            made.begin();
            return;
        }
        RestoredSchemas restored = made.restore(streamStart, isHeld);
        FilterChange change = made.applyFilter(restored);
        filterChange = change;
        made.writeChanges(restored, change);
    }

    /** Without a history every start takes the schemas of now, as with canal. */
    private void acceptPresent(SchemaTracker tracker, @Nullable SchemaHistory kept) {
        TableFilter reloaded = options.reloaded();
        tracker.rows()
                .acceptPresent(
                        table -> kept == null || reloaded != null && reloaded.passes(table.schema(), table.table()));
    }

    /** Also what cursors refer to that are ahead: rows with the same ids are written now, and they must not be taken for those. */
    private void disownWhatIsLost(SchemaHistory kept, @Nullable SchemaReference referred) throws IOException {
        if (referred != null && !kept.holds(referred)) {
            kept.disown(referred);
        }
        for (SchemaReference reference : options.references()) {
            if (!kept.holds(reference)) {
                kept.disown(reference);
            }
        }
    }

    /**
     * Whether the schema history shows that the stream was read before.
     *
     * @return false without a history, too: that is not known then
     * @throws IOException if the history cannot be reached
     * @throws io.sluice.schema.history.database.HistoryException if the history cannot be used
     */
    public boolean wasRead() throws IOException {
        SchemaHistory kept = history();
        return kept != null && kept.recorded().wasRead();
    }

    /**
     * When the schema history begins, in milliseconds since the epoch; 0 if there is none, or that is not known.
     *
     * @throws IOException if the history cannot be reached
     */
    public long beginningMillis() throws IOException {
        SchemaHistory kept = history();
        return kept == null ? 0 : kept.beginnings().millis();
    }

    /** The newest row of the schema history on which the schemas of the tracker depend; null if there is no history, or no tracker yet. */
    public @Nullable SchemaReference reference() {
        SchemaTracker tracker = tracked;
        return tracker == null ? null : tracker.reference();
    }

    /** How the filter differs from that of the last run; null if it does not, or that is not known. May be read by any thread. */
    public @Nullable FilterChange filterChange() {
        return filterChange;
    }

    /**
     * Sets the server in whose binlog DDL is looked for that follows, when the stream has to ask for a table.
     *
     * @throws IOException if it cannot be asked; nothing has changed then
     */
    public void searchIn(SourceConnection connection) throws IOException {
        definitions.moveTo(connection);
    }

    /** Sets what reads the stream, before it reads an event. */
    public void setReader(EventReader reader) {
        this.reader = reader;
        removed.setReader(reader);
        definitions.setReader(reader);
    }

    /**
     * Determines which binlog of a server is read, before the schemas are moved there: after a reset its files have the names again that are in the schema
     * history.
     *
     * @param start where it is to be read
     * @param read up to where this server was read before; null if it was not, or that is not known
     * @param cursor where the stream continues; null if it begins elsewhere
     * @return the start; by GTIDs and after a reset with the position in the new binlog
     * @throws IOException if the source or the history cannot be reached
     */
    public DumpStart enter(
            DumpStart start, @Nullable DumpStart read, @Nullable Cursor cursor, SourceConnection connection)
            throws IOException {
        SchemaHistory kept = history();
        GtidSet executed = start.executed();
        boolean wasReset = kept != null
                && !kept.recorded().isEmpty()
                && environment
                        .binlog()
                        .enter(kept.recorded(), start, read, isContinued(kept, start, cursor), connection);
        if (kept != null && !isReadOn(start, read) && !kept.recorded().isEmpty()) {
            markLost(kept, start.byGtids(), connection);
        }
        return wasReset && start.byGtids() && executed != null
                ? StreamStarts.located(DumpStart.after(null, executed, start.lastEvent()), connection)
                : start;
    }

    /** Whether a stream that runs continues where it got to, which is after all that it has written to the history, but for what is of an open transaction. */
    private boolean isReadOn(DumpStart start, @Nullable DumpStart read) {
        EventReader open = reader;
        return tracked != null
                && (open == null || !open.isWithinTransaction())
                && read != null
                && read.fileBegunSeconds() != 0
                && read.positionOrUnknown().equals(start.positionOrUnknown());
    }

    private void markLost(SchemaHistory kept, boolean byGtids, SourceConnection connection) throws IOException {
        boolean isLost = environment.lost().mark(kept, environment.binlog().epoch(), byGtids, connection);
        if (isLost && tracked != null) {
            move.tear();
        }
    }

    /** Whether what is read is kept in a schema history. */
    public boolean areRecorded() {
        return options.history() != null;
    }

    /** Whether the history does not have the table schemas of the next start, since it begins in an end of a file that is lost. */
    public boolean isBeginningLost() {
        return environment.lost().doubt() != null;
    }

    /** Whether the stream continues at a cursor that was written with this history, and was not moved since. */
    private static boolean isContinued(SchemaHistory kept, DumpStart start, @Nullable Cursor cursor)
            throws IOException {
        SchemaReference referred = cursor == null ? null : cursor.schema();
        return cursor != null
                && referred != null
                && cursor.position().equals(start.position())
                && referred.completeTo().equals(cursor.position())
                && kept.holds(referred);
    }

    /**
     * Sets the server whose binlog is read from now on, after {@link #enter} and when the schemas are those of the start.
     *
     * @throws IOException if a binlog after a reset, or after a history of canal, could not be written to the history; it is attempted again then
     */
    public void setSource(DumpStart start, SourceConnection connection) throws IOException {
        SchemaHistory kept = history;
        SchemaTracker tracker = tracked;
        if (kept == null || tracker == null) {
            return;
        }
        ServerFacts facts = connection.facts();
        kept.setSource(facts.identity(), environment.binlog().epoch());
        removed.setOrigin(
                new RemovedHistory.Origin(facts.identity(), environment.binlog().epoch(), facts.serverId()));
        move.writeBinlog(kept, tracker.catalog(), start, connection);
    }

    private @Nullable SchemaHistory history() throws IOException {
        SchemaHistory open = history;
        if (open == null && options.history() != null) {
            open = histories.open(options.history(), environment.time());
            history = open;
        }
        return open;
    }

    /**
     * Restores the schemas of an earlier time, since another server is read from there. The filter may have accepted fewer tables then, so the
     * others are checked as they are when an instance starts.
     *
     * @throws io.sluice.mysql.failure.SourceException if the schema of a table is not known there: the filter did not accept it then, or the
     *     history begins later
     * @throws IOException if the source or the history cannot be reached; the schemas {@linkplain #areTorn() are of no position} then
     */
    public void restoreEarlier(DumpStart start, SourceConnection connection) throws IOException {
        SchemaHistory kept = history;
        SchemaTracker tracker = tracked;
        if (kept == null || tracker == null) {
            return;
        }
        if (!move.areTorn()) {
            removed.write(kept, tracker.catalog()); // before they are replaced by what the history has
        }
        FilterChange change = move.restoreEarlier(kept, tracker, start, connection);
        if (change != null) {
            filterChange = change;
        }
        move.end(kept);
    }

    /**
     * Replaces the schemas by those of the source, since events that may have changed them were skipped.
     *
     * @throws ChangedTablesException if the source has changed a table after the start, so that its columns there are not known
     * @throws IOException if the source or the history cannot be reached; the schemas {@linkplain #areTorn() are of no position} then
     */
    public void alignWithSource(DumpStart start, SourceConnection connection) throws IOException {
        SchemaTracker tracker = tracked;
        SchemaHistory kept = history;
        if (tracker == null) {
            return;
        }
        if (kept == null) {
            move.alignWithSource(tracker.catalog());
        } else {
            move.alignWithSource(kept, tracker.catalog(), start, connection);
        }
    }

    /** Has them restored again before an event is read, since the stream does not move to where they were restored for. */
    public void tear() {
        move.tear();
    }

    /**
     * Whether {@link #restoreEarlier} or {@link #alignWithSource} has failed, so that one of them must succeed before an event is read, also
     * from where reading was interrupted.
     */
    public boolean areTorn() {
        return move.areTorn();
    }

    /**
     * Writes the schemas of what was read to the history again if its file was removed: what follows would not be there at the next start. If that
     * fails, the next DDL does, too, unless a later call succeeds; what needs no history is read until then.
     */
    public void keep() {
        SchemaHistory kept = history;
        SchemaTracker tracker = tracked;
        if (kept != null && tracker != null && !move.areTorn()) {
            removed.writeIfGone(kept, tracker.catalog());
        }
    }

    /** Aborts a pending operation, from any thread. */
    public void abort() {
        SchemaHistory open = history;
        if (open != null) {
            open.abort();
        }
    }

    @Override
    public void close() {
        SchemaHistory open = history;
        if (open != null) {
            keepAtEnd();
            history = null;
            open.close();
        }
        release();
    }

    private void release() {
        SchemaTracker tracker = tracked;
        if (tracker != null) {
            tracker.catalog().heap().release();
        }
    }

    /** What is interrupted at the end is the reading of the source. */
    private void keepAtEnd() {
        boolean isInterrupted = Thread.interrupted();
        try {
            keep();
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
