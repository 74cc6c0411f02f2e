package io.sluice.stream.source.schema;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaRecorder;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.FilterRules;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryBeginning;
import io.sluice.schema.history.RestoredSchemas;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.StreamStart;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceQueries;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provides the table schemas of a stream's start position: from the schema history, then from DDL in the binlog, then from the source.
 *
 * <p>For one thread, but for {@link #abort}.
 */
public final class StreamSchemas implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamSchemas.class);

    private static final String REMEDY_OF_GAP =
            "if tables were changed by DDL between, load them again; else nothing is to be done";

    /** Events have times in whole seconds. */
    private static final long MILLIS_OF_EVENT_TIMES = 999;

    private final String instance;
    private final SourceQueries queries;
    private final SchemaOptions options;
    private final HistoryOpener histories;
    private final Time time;
    private final SourceSchemas source;
    private final TableFilter filter;
    private final StreamedDefinitions definitions;
    private final BinlogEpoch binlog;
    private final StreamStarts starts;
    private @Nullable SchemaTracker tracked;
    private volatile @Nullable FilterChange filterChange;
    private volatile @Nullable SchemaHistory history;
    private @Nullable EventReader reader;
    private @Nullable Origin origin;
    /** Whether replacing the table schemas has begun, and has failed: they are of no position then. */
    private boolean areTorn;

    /** Whether the newest attempt to write a removed history again has failed. */
    private boolean isLossReported;
    /** Whether a history in which nothing names its server was restored for a start elsewhere, and a restart could take it for that server's. */
    private boolean hasLeftCanal;

    /**
     * The binlog that is read.
     *
     * @param source the identity of its server
     * @param epoch as in {@link SchemaHistory#setSource(String, long)}
     */
    private record Origin(String source, long epoch, long serverId) {}

    public StreamSchemas(
            String instance,
            SourceQueries queries,
            TableFilter filter,
            SchemaOptions options,
            HistoryOpener histories,
            Time time) {
        this.instance = instance;
        this.queries = queries;
        this.options = options;
        this.histories = histories;
        this.time = time;
        this.filter = filter;
        this.source = new SourceSchemas(instance, queries, filter, time);
        this.definitions = new StreamedDefinitions(queries, search());
        this.binlog = new BinlogEpoch(instance);
        this.starts = new StreamStarts(instance, binlog);
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
        SchemaTracker tracker =
                new SchemaTracker(definitions, queries.traits(), kept == null ? SchemaRecorder.NONE : kept);
        tracked = tracker;
        acceptPresent(tracker, kept);
        if (kept == null) {
            tracker.spellAsSource(); // as after the next start, when all are from the source
            source.define(tracker);
            return tracker;
        }
        ServerFacts facts = connection.facts();
        StreamStart streamStart = starts.continued(start, cursor, connection);
        kept.setSource(streamStart.source(), binlog.epoch());
        SchemaReference referred = cursor == null ? null : cursor.schema();
        boolean isHeld = referred != null && kept.holds(referred);
        disownWhatIsLost(kept, referred);
        if (kept.recorded().isEmpty()) {
            kept.setFilter(FilterRules.ofTablesIn(filter));
            begin(kept, tracker, StreamStarts.located(start, connection), cursor, connection);
            return tracker;
        }
        RestoredSchemas restored = kept.restore(tracker, streamStart, isHeld ? referredAt(start, cursor, facts) : 0);
        kept.setFilter(restored.filter()); // until the tables that are new to it are known
        moveBeforeBeginning(kept, restored, tracker, start, streamStart, options.reloaded(), connection);
        DumpStart at = complete(kept, tracker, start, cursor, isHeld, connection);
        if (restored.hasReturned()) {
            writeBeginning(kept, starts.beginning(at, cursor, connection), tracker, connection);
        }
        GrownFilter grown = new GrownFilter(instance, queries, filter, options.reloaded(), "in the last run", search());
        TableFilter reloaded = options.reloaded();
        if (grown.differs(restored.filter()) || reloaded != null) {
            at = StreamStarts.located(at, connection);
        }
        filterChange = grown.apply(restored.filter(), tracker, at, connection);
        kept.setFilter(FilterRules.ofTablesIn(filter));
        if (filterChange != null || lacksFilter(restored, start, cursor)) {
            writeSnapshot(kept, starts.continued(at, cursor, connection), tracker, connection);
        }
        if (reloaded != null) {
            source.reload(tracker, reloaded);
            writeSnapshot(kept, starts.continued(at, cursor, connection), tracker, connection);
        }
        return tracker;
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

    /** The row to which the cursor at a start refers; 0 if the start is elsewhere, or the cursor was moved. */
    private static long referredAt(DumpStart start, @Nullable Cursor cursor, ServerFacts facts) throws IOException {
        if (cursor == null || !cursor.position().equals(start.position()) || !facts.isServerOf(cursor)) {
            return 0;
        }
        SchemaReference referred = cursor.schema();
        return referred != null && referred.completeTo().equals(cursor.position()) ? referred.rowId() : 0;
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

    /** Without a history every start takes the schemas of now, as with canal. */
    private void acceptPresent(SchemaTracker tracker, @Nullable SchemaHistory kept) {
        TableFilter reloaded = options.reloaded();
        tracker.acceptPresent(
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
     * Whether the history has no filter, as one that canal has begun, so that the next change of the filter could not be told. One of canal must
     * be recognizable as such until a cursor refers to its rows.
     */
    private static boolean lacksFilter(RestoredSchemas restored, DumpStart start, @Nullable Cursor cursor) {
        return restored.filter() == null && start.position() != null && cursor != null && cursor.schema() != null;
    }

    private void begin(
            SchemaHistory kept,
            SchemaTracker tracker,
            DumpStart start,
            @Nullable Cursor cursor,
            SourceConnection connection)
            throws IOException {
        ServerFacts facts = connection.facts();
        if (cursor != null && !isAtEnd(start, facts)) {
            LOG.warn(
                    "there is no schema history, though the stream was read before: instance={} start={}",
                    instance,
                    start);
        }
        source.define(tracker);
        source.defineDefaults(tracker);
        pastSchemas().moveTo(start, tracker, connection);
        kept.begin(tracker.state());
        // The first snapshot names no position, since it is the base for all: this one states from where on the history
        // is complete.
        writeBeginning(kept, starts.beginning(start, cursor, connection), tracker, connection);
    }

    private static void writeSnapshot(
            SchemaHistory kept, StreamStart at, SchemaTracker tracker, SourceConnection connection) throws IOException {
        kept.snapshot(StreamStarts.dated(at, connection), tracker.state());
    }

    private static void writeBeginning(
            SchemaHistory kept, StreamStart at, SchemaTracker tracker, SourceConnection connection) throws IOException {
        kept.beginAt(StreamStarts.dated(at, connection), tracker.state());
    }

    /** Brings the restored table schemas back to the start position, if the history begins after that. */
    private void moveBeforeBeginning(
            SchemaHistory kept,
            RestoredSchemas restored,
            SchemaTracker tracker,
            DumpStart start,
            StreamStart streamStart,
            @Nullable TableFilter reloaded,
            SourceConnection connection)
            throws IOException {
        HistoryBeginning beginning = restored.beginning();
        if (beginning == null) {
            return;
        }
        PastSchemas past = new PastSchemas(instance, reloaded, search());
        BinlogPosition position = beginning.position();
        if (position == null) {
            past.moveTo(
                    start,
                    beginning,
                    restored.recordedUpTo(beginning.timeMillis() + MILLIS_OF_EVENT_TIMES),
                    tracker,
                    connection);
            writeSnapshot(kept, afterWhatIsOlder(streamStart), tracker, connection);
        } else {
            past.moveTo(start, position, tracker, connection);
            writeSnapshot(kept, streamStart, tracker, connection);
        }
    }

    /** All before a start by time is older; so the snapshot holds at such a start of the same second in a further binlog, too. */
    private static StreamStart afterWhatIsOlder(StreamStart start) {
        return start.timeMillis() > 1 ? start.withTimeMillis(start.timeMillis() - 1) : start;
    }

    /**
     * Brings the restored table schemas to the start position, if the history ends before that.
     *
     * @return the start position, with its position in a file if that had to be found
     */
    private DumpStart complete(
            SchemaHistory kept,
            SchemaTracker tracker,
            DumpStart from,
            @Nullable Cursor cursor,
            boolean isHeld,
            SourceConnection connection)
            throws IOException {
        ServerFacts facts = connection.facts();
        HistoryGap gap = new HistoryGap(instance, kept, binlog.epoch(), connection, time);
        String doubt = from.byGtids() ? null : binlog.doubt();
        HistoryGap.Extent extent =
                doubt == null ? gap.extent(from, cursor, isHeld) : new HistoryGap.Extent.Unknown(doubt);
        DumpStart start = from;
        if (extent instanceof HistoryGap.Extent.Unknown && from.position() == null) {
            start = StreamStarts.located(from, connection);
            extent = gap.extent(start, cursor, isHeld);
        }
        if (extent instanceof HistoryGap.Extent.Complete) {
            return start;
        }
        boolean isAtEnd = isAtEnd(start, facts);
        if (!isAtEnd
                && extent instanceof HistoryGap.Extent.UpTo upTo
                && start.position() != null
                && gap.close(upTo, start.position(), tracker)) {
            return start;
        }
        takeFromSource(start, tracker, connection);
        kept.setFilter(FilterRules.ofTablesIn(filter));
        writeBeginning(kept, starts.beginning(start, cursor, connection), tracker, connection);
        if (isAtEnd) {
            LOG.info(
                    "the schema history ends before the start position, which is the end of the binlog; taking the schemas from the source: instance={} start={}",
                    instance,
                    start);
        } else {
            LOG.warn(
                    "THE SCHEMA HISTORY IS INCOMPLETE, and {}: tables are read with the"
                            + " schemas that the source has now, without the DDL after the start position: instance={} start={} because={} remedy={}",
                    extent instanceof HistoryGap.Extent.Apart
                            ? "the start position is at different places of the binlog for its domains"
                            : "the binlog does not have the DDL before the start position",
                    instance,
                    start,
                    extent.why(),
                    REMEDY_OF_GAP);
        }
        return start;
    }

    /** Replaces the schemas by those that the source has now, without the DDL after the start. */
    private void takeFromSource(DumpStart start, SchemaTracker tracker, SourceConnection connection)
            throws IOException {
        source.align(tracker);
        source.defineDefaults(tracker);
        pastSchemas().moveTo(start, tracker, connection);
    }

    private PastSchemas pastSchemas() {
        return new PastSchemas(instance, options.reloaded(), search());
    }

    private DdlSearch search() {
        return new DdlSearch(instance, queries, time);
    }

    private static boolean isAtEnd(DumpStart start, ServerFacts facts) throws IOException {
        return facts.end().position().equals(start.position());
    }

    /**
     * When the schema history begins, in milliseconds since the epoch; 0 if there is none, or that is not known.
     *
     * @throws IOException if the history cannot be reached
     */
    public long beginningMillis() throws IOException {
        SchemaHistory kept = history();
        return kept == null ? 0 : kept.recorded().beginningMillis();
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
                && binlog.enter(kept.recorded(), start, read, isContinued(kept, start, cursor), connection);
        return wasReset && start.byGtids() && executed != null
                ? StreamStarts.located(
                        DumpStart.after(null, executed, start.serverId(), start.timeMillis()), connection)
                : start;
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
        kept.setSource(facts.identity(), binlog.epoch());
        origin = new Origin(facts.identity(), binlog.epoch(), facts.serverId());
        // A restart must find it when nothing else tells of the reset any more, or whose positions canal's are.
        if (binlog.isNew() || hasLeftCanal) {
            DumpStart at = StreamStarts.located(start, connection);
            writeSnapshot(kept, starts.elsewhere(at, connection), tracker, connection);
            binlog.markStored();
            hasLeftCanal = false;
        }
    }

    private @Nullable SchemaHistory history() throws IOException {
        SchemaHistory open = history;
        if (open == null && options.history() != null) {
            open = histories.open(options.history(), time);
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
        if (!areTorn) {
            keepAfterLoss(kept, tracker);
        }
        areTorn = true;
        StreamStart streamStart = starts.elsewhere(start, connection);
        kept.setSource(streamStart.source(), binlog.epoch()); // of the snapshots that are written here
        RestoredSchemas restored = kept.restore(tracker, streamStart);
        kept.setFilter(restored.filter());
        // What an operator lets be reloaded is for the position of the start.
        moveBeforeBeginning(kept, restored, tracker, start, streamStart, null, connection);
        if (restored.hasReturned()) {
            writeBeginning(kept, streamStart, tracker, connection);
        }
        GrownFilter grown =
                new GrownFilter(instance, queries, filter, null, "when the binlog was read there before", search());
        DumpStart at = grown.differs(restored.filter()) ? StreamStarts.located(start, connection) : start;
        FilterChange change = grown.apply(restored.filter(), tracker, at, connection);
        kept.setFilter(FilterRules.ofTablesIn(filter));
        if (change != null) {
            filterChange = change;
        }
        hasLeftCanal = kept.recorded().isOfCanal();
        areTorn = false;
    }

    /**
     * Writes the schemas of what was read to the history again if its file was removed: what follows would not be there at the next start. If that
     * fails, the next DDL does, too, unless a later call succeeds; what needs no history is read until then.
     */
    public void keep() {
        SchemaHistory kept = history;
        SchemaTracker tracker = tracked;
        if (kept == null || tracker == null || areTorn || !kept.isGone()) {
            return;
        }
        try {
            keepAfterLoss(kept, tracker);
            isLossReported = false;
        } catch (IOException | RuntimeException e) {
            if (!isLossReported) {
                isLossReported = true;
                LOG.warn(
                        "a schema history that was removed cannot be written again: instance={} cause={}",
                        instance,
                        String.valueOf(e.getMessage()));
            }
        }
    }

    /** Writes the schemas of what was read to a history that has lost them, before they are replaced by what it has. */
    private void keepAfterLoss(SchemaHistory kept, SchemaTracker tracker) throws IOException {
        EventReader open = reader;
        Origin of = origin;
        BinlogPosition at = open == null ? BinlogPosition.UNKNOWN : open.resumePosition();
        if (open != null && of != null && at.isKnown()) {
            kept.setSource(of.source(), of.epoch());
            kept.keepAfterLoss(
                    StreamStart.at(of.source(), at.file(), at.offset(), of.serverId(), open.lastReadMillis())
                            .inEpoch(of.epoch())
                            .inFileBegunAt(open.resumeFileBegunSeconds()),
                    tracker::state);
        }
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
        areTorn = true;
        if (kept == null) {
            source.align(tracker);
        } else {
            takeFromSource(start, tracker, connection);
            StreamStart streamStart = starts.elsewhere(start, connection);
            kept.setSource(streamStart.source(), binlog.epoch());
            kept.setFilter(FilterRules.ofTablesIn(filter));
            writeBeginning(kept, streamStart, tracker, connection);
            binlog.markStored();
        }
        areTorn = false;
    }

    /** Has them restored again before an event is read, since the stream does not move to where they were restored for. */
    public void tear() {
        areTorn = true;
    }

    /**
     * Whether {@link #restoreEarlier} or {@link #alignWithSource} has failed, so that one of them must succeed before an event is read, also
     * from where reading was interrupted.
     */
    public boolean areTorn() {
        return areTorn;
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
