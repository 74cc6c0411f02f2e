package io.sluice.stream.reader;

import io.sluice.format.entry.LogFile;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.Checksums;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventRemainder;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.FormatDescription;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.binlog.NestedEvents;
import io.sluice.mysql.binlog.TransactionPayload;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.mysql.transaction.TransactionTracker;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.Event;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.mapping.RowDelivery;
import io.sluice.stream.mapping.TableListener;
import io.sluice.stream.mapping.TableMappings;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.stream.options.XaHolding;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The serial stage: reads events in order, tracks the position of each, and makes the entries that are delivered; row images are not
 * decoded here.
 *
 * <p>After a broken connection it reads the open transaction again from its start, and skips the events that it has handed on already, so
 * nothing is delivered twice.
 *
 * <p>The events of a compressed transaction are read as if they were in the stream, at the position of the event that contains them; a
 * large one is split into several chunks. For one thread.
 */
public final class EventReader implements AutoCloseable {
    /** The default memory limit of the cached table mappings, in bytes. */
    public static final long DEFAULT_MAPPING_BYTES = TableMappings.DEFAULT_BYTES;

    /** A chunk is closed when it has so many bytes, or when no event is waiting. */
    private static final int CHUNK_BYTES = 1 << 17;

    private static final int SMALLEST_CHUNK_BYTES = 1 << 13;

    private final TransactionTracker transactions;
    private final StreamProgress progress;
    private final GtidTracker gtids;
    private final TableMappings tables;
    private final EventDispatcher dispatcher;
    private final Checkpoints checkpoints;
    private final Checksums checksums = new Checksums();
    private final EventPositions positions;
    private final InnerEvents inner = new InnerEvents();
    private final HeldEnd heldEnd = new HeldEnd();
    private final ReadCounters counters = new ReadCounters();
    private final Event event;

    /** The size of a chunk that is held until its transaction ends. */
    private final int heldBytes;

    /** The large event that is read whole when there is room for it; null if there is none. */
    private @Nullable AwaitedEvent awaited;

    /**
     * A large event of which the first bytes were read, and the rest is read when there is room for it; or a compressed one whose
     * rows are large, and unpacked then.
     *
     * @param bytes the memory that it needs
     */
    private record AwaitedEvent(LargeEvent event, int bytes) {}

    private FormatDescription format = FormatDescription.UNKNOWN;

    /** The size of all rows that were unpacked before the chunk. */
    private long unpackedBefore;

    private int expectedChunkBytes = SMALLEST_CHUNK_BYTES;

    /**
     * Makes a reader that is at {@code start}.
     *
     * @param source the server, as cursors state it
     * @param start the position of the first event
     * @param executed the transactions before that event, which headers show; null if they are not followed
     * @param tracker has the table schemas at {@code start}
     * @param filter decides which tables pass
     * @param types makes the column types
     * @param settings what depends on the source and the process
     */
    public EventReader(
            SourceServer source,
            BinlogPosition start,
            @Nullable GtidSet executed,
            StreamOptions options,
            SchemaTracker tracker,
            TableFilter filter,
            ColumnTypes types,
            ReaderOptions settings) {
        TableMappings mappings = new TableMappings(
                tracker.rows(), filter, types, delivery(options), settings.hidden(), settings.mappingBytes());
        StatementReader statements = new StatementReader(tracker.statements(), tracker.rows(), filter, options);
        this.transactions = new TransactionTracker(start, executed);
        this.progress = new StreamProgress(source, start, transactions);
        this.checkpoints = new Checkpoints(progress, transactions);
        this.positions = new EventPositions(progress, checkpoints);
        this.progress.setSchemaReference(mappings.schemaReference());
        this.event = new Event(progress.file());
        this.gtids = new GtidTracker(transactions);
        this.gtids.start(executed, true);
        this.tables = mappings;
        TransactionSpill spill = options.spill();
        this.heldBytes = spill == null ? TransactionSpill.DEFAULT_MEMORY_BYTES : spill.memoryBytes();
        XaHolding xa = options.xa();
        this.dispatcher = xa == null
                ? new EventDispatcher(options, mappings, statements, progress, transactions, gtids, settings.time())
                : new XaDispatcher(
                        options,
                        xa,
                        mappings,
                        statements,
                        progress,
                        transactions,
                        gtids,
                        settings.time(),
                        this::replay);
    }

    private static RowDelivery delivery(StreamOptions options) {
        if (options.omitsAllRows()) {
            return RowDelivery.NONE;
        }
        return options.omits(Omitted.MISMATCHED_ROWS) ? RowDelivery.MATCHING : RowDelivery.ALL;
    }

    /** Sets the listener for tables with rows. */
    void onTable(TableListener listener) {
        tables.onTable(listener);
    }

    /** The position from which events must be read after a broken connection: the start of the open transaction. */
    public BinlogPosition resumePosition() {
        return progress.resumePosition();
    }

    /** When the file of {@link #resumePosition} was begun, in seconds since the epoch; 0 if that is not known. */
    public long resumeFileBegunSeconds() {
        LogFile file = progress.file();
        return file.name().equals(resumePosition().file()) ? file.begunSeconds() : 0;
    }

    /** The counters of what was read. */
    public ReadCounters counters() {
        return counters;
    }

    /** Where the next event starts that is not inside another one. */
    BinlogPosition position() {
        return new BinlogPosition(progress.file().name(), progress.offset());
    }

    /**
     * When the last event was written before {@link #resumePosition}, or earlier, in milliseconds since the epoch: that of the commit of the
     * last transaction that was read to its end. If only the end of a file was read, not before the start. 0 if nothing was read, or that is not
     * known.
     */
    public long readUpToMillis() {
        return checkpoints.readUpToSeconds() * 1000;
    }

    /**
     * When the last event was written of the last transaction that was read to its end, in milliseconds since the epoch, also if that was before
     * {@link #startAt} and comes again; of the one before the oldest XA transaction that was undecided then, if there was one. 0 if there is
     * none.
     */
    public long lastReadMillis() {
        return checkpoints.lastReadSeconds() * 1000;
    }

    /** Which server wrote the event of {@link #lastReadMillis}; 0 if that is not known. */
    public long lastReadServerId() {
        return checkpoints.lastReadServerId();
    }

    /** Whether a transaction was read to its end, before {@link #startAt} or after it. */
    public boolean hasReadTransaction() {
        return checkpoints.hasRead();
    }

    /**
     * The time up to which the source was read, in milliseconds since the epoch, also within a transaction; 0 if nothing was read. May be
     * called by any thread.
     */
    public long reachedMillis() {
        return checkpoints.reachedSeconds() * 1000;
    }

    /** Which server wrote the event of {@link #readUpToMillis}; 0 if none, or that is not known. */
    public long readUpToServerId() {
        return checkpoints.serverId();
    }

    /**
     * States that the next events come from a new connection, from {@link #resumePosition()} on.
     *
     * @param checksummed whether events have checksums before the format description states it
     * @param byGtids whether they follow {@link #executed()}, and are not requested from a position
     */
    public void onReconnect(boolean checksummed, boolean byGtids) {
        format = new FormatDescription("", checksummed, 6, false);
        progress.resume(byGtids);
        counters.publishAdvance(progress);
        tables.forgetIds();
        inner.abandon();
        dispatcher.onReconnect();
        awaited = null;
        heldEnd.clear();
    }

    /**
     * Continues at another position, possibly of another server. The open transaction is dropped; it is read again if it is after that
     * position.
     *
     * @param start the boundary before the next event. Its position is unknown if the server determines it, as for a request by GTIDs. If the
     *     source sends another file of that name than the one that was begun at its time, reading fails. Its schema is not used.
     * @param shown whether entries state their GTIDs; if not, only positions have them
     */
    public void startAt(Boundary start, boolean shown) {
        GtidSet executed = start.executed();
        checkpoints.restart(start, undecidedStart());
        dispatcher.onRestart();
        progress.startAt(start.source(), start.position(), executed, start.fileBegunSeconds());
        progress.setSchemaReference(tables.schemaReference());
        gtids.start(executed, shown);
        tables.forgetIds();
    }

    /**
     * States after {@link #startAt} that no transaction comes of a file that is before a position in it, since they are executed. Then offsets
     * beyond 4 GiB are known, which a dump by GTIDs does not tell that leaves them out.
     *
     * @param begunSeconds when the file of the position was begun, in seconds since the epoch; 0 if that is not known: then it does nothing
     */
    public void expectNothingBefore(BinlogPosition position, long begunSeconds) {
        progress.setFloor(position, begunSeconds);
    }

    /**
     * Whether the offsets of the file that is read are known beyond 4 GiB: if not, they are too small by a multiple of that, or by nothing if
     * it is not that large. May be called by any thread.
     */
    public boolean hasExactOffsets() {
        return progress.hasExactOffsets();
    }

    /**
     * Where the oldest XA transaction begins that is not decided: its rows are held back for the same server, and another one
     * must be read from there. Null if there is none.
     */
    public @Nullable Boundary undecidedStart() {
        return dispatcher.undecidedStart();
    }

    /** Sets how far the source's clock is ahead of ours, in milliseconds; negative if it is behind. May be called by any thread. */
    public void setSourceClock(long millis) {
        dispatcher.setSourceClock(millis);
    }

    /** The number of held XA transactions that are prepared and not decided. May be called by any thread. */
    public int undecidedTransactions() {
        return dispatcher.undecidedTransactions();
    }

    /** How often rows were handed on that the source rolled back. May be called by any thread. */
    public long rolledBackDeliveries() {
        return dispatcher.openTransaction.delivered();
    }

    /** How many bytes of a large transaction are in a file, and not handed on yet. May be called by any thread. */
    public long spilledBytes() {
        return dispatcher.openTransaction.spilledBytes();
    }

    /** The transactions that need not be read again after a broken connection; null if they are not followed. */
    public @Nullable GtidSet executed() {
        return transactions.executed();
    }

    /**
     * Waits for events and fills one chunk.
     *
     * @param source the source of the events
     * @param chunk the chunk to fill; the events before an exception are complete, and must be handed on
     * @return false at the end of the source
     * @throws IOException if the source broke
     * @throws StreamException if an event cannot be understood
     */
    public boolean read(EventSource source, Chunk chunk) throws IOException {
        counters.follow(source);
        try {
            return fill(source, chunk);
        } finally {
            dispatcher.openTransaction.onChunkEnd(chunk);
        }
    }

    private boolean fill(EventSource source, Chunk chunk) throws IOException {
        OpenTransaction open = dispatcher.openTransaction;
        if (open.isReplaying()) {
            open.replay(chunk, CHUNK_BYTES);
            if (!open.isReplaying()) {
                checkpoints.set(chunk);
            }
            return true;
        }
        unpackedBefore = dispatcher.rows.unpackedBytes();
        if (heldEnd.take()) {
            return false;
        }
        ByteWriter events = chunk.events();
        boolean more = true;
        do {
            try {
                AwaitedEvent large = awaited;
                awaited = null;
                if (large != null) {
                    acceptLarge(source, chunk, large.event());
                    more = false;
                } else {
                    if (isHolding(chunk)) {
                        more = acceptHeld(source, chunk);
                    } else if (!acceptNext(source, chunk)) {
                        return false;
                    }
                    more &= awaited == null
                            && !open.isEnding()
                            && (bytesOf(chunk) < CHUNK_BYTES || isHolding(chunk) || isBeforeEndOfReplay());
                }
            } catch (MalformedEventException | TooManyBytesException e) {
                throw new StreamException(
                        SourceFailure.CORRUPT,
                        "the event at %s:%d cannot be read: %s"
                                .formatted(progress.file().name(), progress.offset(), e.getMessage()),
                        e);
            }
        } while (more && (inner.position() != null || source.hasBuffered() || isHolding(chunk)));
        counters.publish(progress, position());
        if (!open.isEnding() && !isBeforeEndOfReplay()) { // else it is after what is to be replayed
            checkpoints.set(chunk);
        }
        expectedChunkBytes =
                Math.max(SMALLEST_CHUNK_BYTES, Math.min(2 * CHUNK_BYTES, events.size() + (events.size() >> 3)));
        return true;
    }

    /**
     * Whether the chunk is held until the open transaction ends, since the source may roll it back. It waits for the connection only: a
     * transaction is in the binlog as a whole before a server sends its first event.
     */
    private boolean isHolding(Chunk chunk) {
        return dispatcher.openTransaction.holdsChunk() && !transactions.isBetween() && bytesOf(chunk) < heldBytes;
    }

    /**
     * Whether the last event of a prepared transaction was read, and that it has ended is still to be noted: its GTID counts as read, but its
     * entries may be in a file.
     */
    private boolean isBeforeEndOfReplay() {
        return inner.position() != null && dispatcher.openTransaction.isOpen() && transactions.isBetween();
    }

    /** The size of a chunk with the rows that were unpacked for it. */
    private long bytesOf(Chunk chunk) {
        return chunk.events().size() + dispatcher.rows.unpackedBytes() - unpackedBefore;
    }

    /** How many bytes the next chunk will probably take. */
    public int expectedChunkBytes() {
        return expectedChunkBytes;
    }

    /**
     * The size of the large event that the next {@link #read} reads whole, from the source or from a file, with that of its rows if they are
     * compressed; 0 if there is none. There must be room for it then.
     */
    public int awaitedBytes() {
        if (dispatcher.openTransaction.isReplaying()) {
            return dispatcher.openTransaction.nextLargeBytes();
        }
        return awaited == null ? 0 : awaited.bytes();
    }

    /**
     * Reads the next event while the chunk is held. If the source breaks or ends there, the next call reports it.
     *
     * @return false if no event came
     */
    private boolean acceptHeld(EventSource source, Chunk chunk) {
        try {
            if (acceptNext(source, chunk)) {
                return true;
            }
            heldEnd.onEnded();
        } catch (IOException e) {
            heldEnd.onBroken(e);
        }
        return false;
    }

    private boolean acceptNext(EventSource source, Chunk chunk) throws IOException {
        Event.Position nested = inner.position();
        if (nested != null) {
            acceptInside(chunk, nested);
            return true;
        }
        ByteWriter events = chunk.events();
        int from = events.size();
        int length = source.next(events);
        if (length < 0) {
            return false;
        }
        if (source.hasRest()) {
            LargeEvent large = LargeEvent.cut(events, from, false);
            counters.note(large.header().length());
            event.open(large.header(), large.body());
            locate();
            if (large.header().code() == EventCode.TRANSACTION_PAYLOAD) {
                openPayload(source, large);
            } else {
                judge(chunk, large);
            }
        } else {
            counters.note(length);
            accept(chunk, events.array(), from, length, false);
        }
        return true;
    }

    /** Opens a payload that is too large to be read at once: its events are unpacked while it comes. */
    private void openPayload(EventSource source, LargeEvent large) {
        EventRemainder rest =
                new EventRemainder(source, large.first(), large.header().length(), format.checksummed());
        inner.openPayload(TransactionPayload.decode(large.body(), rest.left()), rest, event.position());
    }

    /** Passes over a large event whose beginning is enough, awaits room for one that can be read, and leaves others unread. */
    private void judge(Chunk chunk, LargeEvent large) throws IOException {
        if (!dispatcher.needsWhole(event, format)) {
            dispatcher.dispatch(chunk, event, format);
        } else {
            long bytes = dispatcher.bytesOf(event, format);
            if (bytes <= dispatcher.largestRead(event)) {
                boolean isUnpacked = EventCode.isCompressedRows(event.code()) && bytes != event.length();
                long packed = isUnpacked ? event.length() : 0;
                awaited = new AwaitedEvent(large, (int) Math.min(bytes + packed, Integer.MAX_VALUE));
                return;
            }
            dispatcher.leaveUnread(chunk, event, format, bytes);
        }
        passed(large.isInside());
    }

    /**
     * Judges an event that was read whole, but is large without compression, as one of which the first bytes were read.
     *
     * @return false if it is none
     */
    private boolean judgeCompressed(Chunk chunk, byte[] bytes, int from, int length, boolean isInside)
            throws IOException {
        if (!EventCode.isCompressedRows(event.code())
                || !dispatcher.needsWhole(event, format)
                || dispatcher.bytesOf(event, format) <= EventSource.LARGEST_WHOLE) {
            return false;
        }
        byte[] whole = Arrays.copyOfRange(bytes, from, from + length);
        chunk.events().setSize(from);
        judge(chunk, new LargeEvent(event.header(), whole, isInside));
        return true;
    }

    private void acceptLarge(EventSource source, Chunk chunk, LargeEvent large) throws IOException {
        Event.Position position = inner.position();
        if (large.isInside() && position != null) {
            byte[] bytes = large.readWhole(inner::rest);
            event.open(bytes, 0, bytes.length);
            event.setPositionWithin(position);
            dispatchInside(chunk);
        } else {
            byte[] bytes = large.readWhole(source::rest);
            if (source.hasRest()) {
                throw new MalformedEventException(
                        "its header states %d bytes, but it is longer".formatted(bytes.length));
            }
            accept(chunk, bytes, 0, bytes.length, true);
        }
    }

    /** Handles an event that was read whole, by {@link #acceptLarge} if {@code hasRoom}. */
    private void accept(Chunk chunk, byte[] bytes, int from, int length, boolean hasRoom) throws IOException {
        event.open(bytes, from, length);
        if (event.length() != length) {
            throw new MalformedEventException(
                    "its header states %d bytes, but it has %d".formatted(event.length(), length));
        }
        int code = event.code();
        if (code == EventCode.FORMAT_DESCRIPTION) {
            format = FormatDescription.decode(event.body());
            dispatcher.openTransaction.setMayRollBack(format.mayLogRolledBack());
            if (format.checksummed()) {
                checksums.verify(bytes, from, length);
            }
        } else if (format.checksummed()) {
            checksums.verify(bytes, from, length);
            event.cutChecksum();
        }
        locate();
        if (code == EventCode.TRANSACTION_PAYLOAD) {
            inner.openPayload(TransactionPayload.decode(event.body()), null, event.position());
            return;
        }
        if (!hasRoom && judgeCompressed(chunk, bytes, from, length, false)) {
            return;
        }
        dispatcher.dispatch(chunk, event, format);
        passed(false);
    }

    /** Sets the position of the event. */
    private void locate() {
        positions.locate(event, format.mariaDb());
        counters.see(event.timestampSeconds());
    }

    /** Continues after the event. */
    private void passed(boolean isInside) {
        if (isInside) {
            positions.passInside(event);
            inner.moveTo(event.position().next());
        } else {
            positions.pass(event, format.mariaDb());
        }
    }

    /** Starts to replay held events for the event that is dispatched, which is passed after them. */
    private void replay(NestedEvents held) {
        inner.replay(held);
        if (inner.position() == null) {
            inner.moveTo(event.position());
            event.setPosition(progress.file(), event.start(), event.start());
        }
    }

    /** Reads the next event of the open payload or replay; at its end, the event that contains them counts as read. */
    private void acceptInside(Chunk chunk, Event.Position position) throws IOException {
        ByteWriter events = chunk.events();
        int from = events.size();
        int length = inner.read(events);
        if (length < 0) {
            endInside(position);
            return;
        }
        Event.Position at = inner.positionOfRead(position);
        event.open(events.array(), from, length);
        if (!inner.isReplay() && !EventCode.isOfPayload(event.code())) {
            throw new MalformedEventException("it holds an event of type " + event.code());
        }
        event.setPositionWithin(at);
        if (inner.hasRest()) {
            LargeEvent large = LargeEvent.cut(events, from, true);
            event.open(large.header(), large.body());
            event.setPositionWithin(at);
            judge(chunk, large);
        } else if (!judgeCompressed(chunk, events.array(), from, length, true)) {
            dispatchInside(chunk);
        }
    }

    private void endInside(Event.Position position) {
        if (inner.isReplay()) {
            boolean isInPayload = inner.endReplay();
            dispatcher.onReplayEnd();
            if (isInPayload) { // what was held back was in a payload
                return;
            }
        }
        inner.end();
        positions.passOuter(position);
    }

    private void dispatchInside(Chunk chunk) throws IOException {
        dispatcher.dispatch(chunk, event, format);
        passed(true);
    }

    /** Frees what it holds outside of the heap. */
    @Override
    public void close() {
        dispatcher.close();
        inner.close();
    }
}
