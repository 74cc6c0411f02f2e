package io.sluice.stream.reader;

import io.sluice.format.entry.LogFile;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.binlog.NestedEvents;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.mysql.transaction.TransactionTracker;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.LastEvent;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.mapping.RowDelivery;
import io.sluice.stream.mapping.TableListener;
import io.sluice.stream.mapping.TableMappings;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.stream.options.XaHolding;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The serial stage: reads events in order, tracks the position of each, and makes the entries that are delivered, chunk by chunk; row images
 * are not decoded here.
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
    private final EventIntake intake;
    private final HeldEnd heldEnd = new HeldEnd();
    private final ReadCounters counters = new ReadCounters();

    /** The size of a chunk that is held until its transaction ends. */
    private final int heldBytes;

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
                tracker, filter, types, delivery(options), settings.hidden(), settings.mappingBytes());
        StatementReader statements = new StatementReader(tracker, filter, options);
        this.transactions = new TransactionTracker(start, executed);
        this.progress = new StreamProgress(source, start, transactions);
        this.checkpoints = new Checkpoints(progress, transactions);
        this.progress.setSchemaReference(mappings.schemaReference());
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
        this.intake = new EventIntake(dispatcher, progress, new EventPositions(progress, checkpoints), counters);
    }

    private void replay(NestedEvents held) {
        intake.replay(held);
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

    /** Whether events after {@link #resumePosition} were read, of a transaction that has not ended, also if it is to be read again. */
    public boolean isWithinTransaction() {
        return !transactions.isBetween() || progress.hasPartOfTransaction();
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
     * The last event before {@link #resumePosition}: that of the commit of the last transaction that was read to its end. If only the end of a file was
     * read, its time is not before the start. The time is 0 if nothing was read, or that is not known.
     */
    public LastEvent readUpTo() {
        return new LastEvent(checkpoints.readUpToSeconds() * 1000, checkpoints.serverId());
    }

    /**
     * The last event of the last transaction that was read to its end, also if that was before {@link #startAt} and comes again; of the one before the
     * oldest XA transaction that was undecided then, if there was one. The time is 0 if there is none.
     */
    public LastEvent lastRead() {
        return new LastEvent(checkpoints.lastReadSeconds() * 1000, checkpoints.lastReadServerId());
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

    /**
     * States that the next events come from a new connection, from {@link #resumePosition()} on.
     *
     * @param checksummed whether events have checksums before the format description states it
     * @param byGtids whether they follow {@link #executed()}, and are not requested from a position
     */
    public void onReconnect(boolean checksummed, boolean byGtids) {
        progress.resume(byGtids);
        counters.publishAdvance(progress);
        tables.forgetIds();
        intake.onReconnect(checksummed);
        dispatcher.onReconnect();
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
                if (intake.awaitsRoom()) {
                    intake.acceptAwaited(source, chunk);
                    more = false;
                } else {
                    if (isHolding(chunk)) {
                        more = acceptHeld(source, chunk);
                    } else if (!intake.acceptNext(source, chunk)) {
                        return false;
                    }
                    more &= !intake.awaitsRoom()
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
        } while (more && (intake.isInside() || source.hasBuffered() || isHolding(chunk)));
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
        return intake.isInside() && dispatcher.openTransaction.isOpen() && transactions.isBetween();
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
        return intake.awaitedBytes();
    }

    /**
     * Reads the next event while the chunk is held. If the source breaks or ends there, the next call reports it.
     *
     * @return false if no event came
     */
    private boolean acceptHeld(EventSource source, Chunk chunk) {
        try {
            if (intake.acceptNext(source, chunk)) {
                return true;
            }
            heldEnd.onEnded();
        } catch (IOException e) {
            heldEnd.onBroken(e);
        }
        return false;
    }

    /** Frees what it holds outside of the heap. */
    @Override
    public void close() {
        dispatcher.close();
        intake.close();
    }
}
