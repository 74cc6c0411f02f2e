package io.sluice.stream.reader;

import io.sluice.format.entry.BinlogEntry;
import io.sluice.format.entry.TransactionBoundary;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.FormatDescription;
import io.sluice.mysql.binlog.GtidEvent;
import io.sluice.mysql.binlog.HeartbeatEvent;
import io.sluice.mysql.binlog.QueryEvent;
import io.sluice.mysql.binlog.RotateEvent;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.mysql.transaction.TransactionCommand;
import io.sluice.mysql.transaction.TransactionTracker;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.Time;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.Event;
import io.sluice.stream.failure.MidTransactionException;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.mapping.TableMappings;
import io.sluice.stream.options.LargeEventPolicy;
import io.sluice.stream.options.StreamOptions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Dispatches each event to the reader for its type, with its part in its transaction. For one thread. */
class EventDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(EventDispatcher.class);

    final StreamProgress progress;
    final TransactionTracker transactions;
    final TableMappings tables;
    final RowsReader rows;
    final QueryEventReader texts;
    final MariaDbTransactions mariaDb;
    final OpenTransaction openTransaction;

    private final LargeEventPolicy large;
    private final GtidTracker gtids;

    EventDispatcher(
            StreamOptions options,
            TableMappings tables,
            StatementReader statements,
            StreamProgress progress,
            TransactionTracker transactions,
            GtidTracker gtids,
            Time time) {
        this.large = options.large();
        this.openTransaction = new OpenTransaction(options.spill());
        this.progress = progress;
        this.transactions = transactions;
        this.gtids = gtids;
        this.tables = tables;
        this.rows = new RowsReader(options, tables);
        this.texts = new QueryEventReader(options, tables, statements, progress, time);
        this.mariaDb = new MariaDbTransactions(options.mariaDbBegins(), gtids, progress);
    }

    /**
     * Whether more than the beginning of a large event is needed.
     *
     * @param event with the first bytes of its body
     */
    boolean needsWhole(Event event, FormatDescription format) {
        EventType rowsType = RowsReader.typeOf(event.code());
        if (rowsType != null) {
            return progress.isAhead(event) && rows.leaves(event.body(), rowsType, format);
        }
        return switch (event.code()) {
            case EventCode.ROWS_QUERY, EventCode.MARIADB_ANNOTATE_ROWS -> !texts.dropsRowStatements();
            case EventCode.ROTATE,
                    EventCode.HEARTBEAT,
                    EventCode.HEARTBEAT_V2,
                    EventCode.TABLE_MAP,
                    EventCode.XID,
                    EventCode.QUERY,
                    EventCode.MARIADB_QUERY_COMPRESSED,
                    EventCode.INTVAR,
                    EventCode.RAND,
                    EventCode.USER_VAR,
                    EventCode.BEGIN_LOAD_QUERY,
                    EventCode.MARIADB_GTID,
                    EventCode.GTID,
                    EventCode.GTID_TAGGED,
                    EventCode.ANONYMOUS_GTID -> true;
            default -> false;
        };
    }

    /**
     * Returns how large an event is, in bytes: its length; of rows that are read now and are compressed, their size without
     * compression, if that is larger.
     *
     * @param event with its body, or the first bytes of it
     */
    long bytesOf(Event event, FormatDescription format) {
        EventType rowsType = RowsReader.typeOf(event.code());
        return rowsType != null && EventCode.isCompressedRows(event.code())
                ? Math.max(event.length(), RowsReader.unpackedBytes(event, rowsType, format))
                : event.length();
    }

    /**
     * Follows a rows event that is too large, by the first bytes of its body; stops at any other.
     *
     * @param bytes how large it is, as {@link #bytesOf} returned
     */
    void leaveUnread(Chunk chunk, Event event, FormatDescription format, long bytes) throws IOException {
        EventType rowsType = RowsReader.typeOf(event.code());
        if (rowsType == null) {
            throw RowsReader.tooLarge(event.position(), bytes, large.largestText());
        }
        join(event, transactions.step(event.code(), event.body()));
        rows.leaveUnread(chunk, event, rowsType, format, bytes);
        progress.passOfTransaction();
    }

    /** How large an event may be that is read. */
    long largestRead(Event event) {
        return RowsReader.typeOf(event.code()) == null ? large.largestText() : large.largestRead();
    }

    /**
     * Follows an event, and puts what it becomes into the chunk that holds its bytes.
     *
     * @param format how the events of this file are written
     * @throws MidTransactionException if it is within a transaction whose begin was not read
     * @throws IOException if the source had to be asked for a table schema, and could not
     * @throws StreamException if the event cannot be understood
     */
    void dispatch(Chunk chunk, Event event, FormatDescription format) throws IOException {
        if (event.code() == EventCode.QUERY || event.code() == EventCode.MARIADB_QUERY_COMPRESSED) {
            statement(chunk, event);
            return;
        }
        join(event, transactions.step(event.code(), event.body()));
        EventType rowsType = RowsReader.typeOf(event.code());
        if (rowsType != null) {
            if (progress.isAhead(event)) {
                rows.read(chunk, event, rowsType, format);
            } else {
                openTransaction.passAgain(rows.tableOf(event.body(), format));
                rows.pass(event, format);
            }
            progress.passOfTransaction();
            return;
        }
        switch (event.code()) {
            case EventCode.ROTATE -> rotate(chunk, event);
            case EventCode.HEARTBEAT, EventCode.HEARTBEAT_V2 -> {
                HeartbeatEvent heartbeat = HeartbeatEvent.decode(event.header(), event.body());
                progress.recordHeartbeat(heartbeat.file(), heartbeat.offset(), event.code() == EventCode.HEARTBEAT_V2);
            }
            case EventCode.TABLE_MAP -> {
                tables.accept(event, format);
                progress.setSchemaReference(tables.schemaReference());
            }
            case EventCode.XID -> {
                texts.onTransactionEnd();
                if (progress.isAhead(event)) {
                    add(
                            chunk,
                            TransactionBoundary.end(event.origin(), event.body().readLong()));
                }
                openTransaction.end();
            }
            case EventCode.ROWS_QUERY, EventCode.MARIADB_ANNOTATE_ROWS -> {
                add(chunk, texts.read(event));
                progress.passOfTransaction();
            }
            case EventCode.INTVAR, EventCode.RAND, EventCode.USER_VAR, EventCode.BEGIN_LOAD_QUERY -> {
                addStatement(chunk, texts.read(event));
                progress.passOfTransaction();
            }
            case EventCode.MARIADB_GTID -> {
                add(chunk, mariaDb.begin(event));
                if (event.step() == Step.ANNOUNCES_AND_BEGINS) {
                    openTransaction.begin(chunk, progress.isAhead(event));
                }
                progress.passOfTransaction();
            }
            case EventCode.GTID, EventCode.GTID_TAGGED -> {
                gtids.accept(event.body(), event.code() == EventCode.GTID_TAGGED);
                openTransaction.announce(event.code() == EventCode.GTID && GtidEvent.hasRowsOnly(event.body()));
            }
            case EventCode.ANONYMOUS_GTID -> {
                gtids.acceptAnonymous(event);
                openTransaction.announce(GtidEvent.hasRowsOnly(event.body()));
            }
            case EventCode.FORMAT_DESCRIPTION -> {
                if (format.startsServer()) {
                    texts.onServerStart();
                }
            }
            case EventCode.PREVIOUS_GTIDS,
                    EventCode.STOP,
                    EventCode.IGNORABLE,
                    EventCode.TRANSACTION_CONTEXT,
                    EventCode.APPEND_BLOCK,
                    EventCode.DELETE_FILE,
                    EventCode.EXECUTE_LOAD_QUERY,
                    EventCode.VIEW_CHANGE,
                    EventCode.MARIADB_BINLOG_CHECKPOINT,
                    EventCode.MARIADB_GTID_LIST,
                    EventCode.MARIADB_START_ENCRYPTION -> {}
            case EventCode.XA_PREPARE -> openTransaction.end();
            case EventCode.INCIDENT ->
                throw new StreamException(
                        SourceFailure.UNSUPPORTED_EVENT,
                        "the source has lost events at %s, as its incident event states; set the position after it and load again what is missing"
                                .formatted(event.position()));
            default -> rejectUnknown(event);
        }
    }

    /** Called when the replayed events were read to their end. */
    void onReplayEnd() {
        openTransaction.end();
    }

    /** Called when the next events are from a new connection. */
    void onReconnect() {
        openTransaction.onReconnect();
    }

    /** Called when the next events are from another position. */
    void onRestart() {
        openTransaction.drop();
    }

    /** Sets how far the source's clock is ahead of ours, in milliseconds. May be called by any thread. */
    void setSourceClock(long millis) {}

    /** Where the oldest transaction begins that is not decided, and so not delivered; null if there is none. */
    @Nullable Boundary undecidedStart() {
        return null;
    }

    /** The number of held XA transactions that are prepared and not decided. May be called by any thread. */
    int undecidedTransactions() {
        return 0;
    }

    /** Frees what it holds. */
    void close() {
        openTransaction.close();
    }

    private void statement(Chunk chunk, Event event) throws IOException {
        QueryEvent query = texts.decode(event);
        TransactionCommand command = TransactionCommand.of(query.sql());
        join(event, transactions.step(command));
        if (!mariaDb.hidesStatement()) {
            read(chunk, event, query, command);
        }
        progress.passOfTransaction();
    }

    /** Adds the entry of a statement, and follows what it does to the open transaction. */
    final void read(Chunk chunk, Event event, QueryEvent query, TransactionCommand command) throws IOException {
        switch (command) {
            case BEGIN, XA_START -> {
                add(chunk, texts.read(event, query, command));
                openTransaction.begin(chunk, progress.isAhead(event));
            }
            case COMMIT -> {
                add(chunk, texts.read(event, query, command));
                openTransaction.end();
            }
            case ROLLBACK -> {
                if (openTransaction.isOpen()) {
                    openTransaction.rollback(chunk, event, progress.isAhead(event));
                    add(chunk, texts.read(event, query, command));
                }
            }
            case SAVEPOINT -> openTransaction.savepoint(chunk, query.sql(), progress.isAhead(event));
            case ROLLBACK_TO_SAVEPOINT ->
                openTransaction.rollbackTo(chunk, query.sql(), event, progress.isAhead(event));
            case XA_ROLLBACK -> {
                openTransaction.rollback(chunk, event, progress.isAhead(event)); // if it was not prepared
                add(chunk, texts.read(event, query, command));
            }
            case RELEASE_SAVEPOINT, XA_END, XA_COMMIT -> add(chunk, texts.read(event, query, command));
            case NONE -> addStatement(chunk, texts.read(event, query, command));
        }
    }

    private void addStatement(Chunk chunk, @Nullable BinlogEntry entry) {
        if (entry != null) {
            add(chunk, entry);
            openTransaction.keepLast(chunk);
        }
    }

    /** Sets the part of the event in its transaction. */
    final void join(Event event, Step step) throws MidTransactionException {
        switch (step) {
            case ANNOUNCES, ANNOUNCES_AND_BEGINS, BEGINS -> progress.beginSequence();
            case WITHIN -> requireBegin(event);
            case OUTSIDE, PRECEDES, ROWS_END, ENDS, ALONE -> {}
        }
        event.setTransactionStep(step, progress.sequence(), gtids.transaction(), transactions.isBoundaryAfter(step));
    }

    private void requireBegin(Event event) throws MidTransactionException {
        if (transactions.isBetween()) {
            Event.Position position = event.position();
            throw new MidTransactionException(new BinlogPosition(position.file().name(), position.start()));
        }
    }

    private void rotate(Chunk chunk, Event event) {
        String before = progress.file().name();
        StreamProgress.Rotation rotation = progress.rotate(RotateEvent.decode(event.body()));
        if (rotation.isOther()) {
            tables.forgetIds();
        }
        if (rotation.isCutOff()) {
            openTransaction.cutOff(chunk);
            LOG.warn(
                    "a binlog file ended within a transaction, which the source never committed; its rows may have been delivered: file={}",
                    before);
        }
    }

    static void add(Chunk chunk, @Nullable BinlogEntry entry) {
        if (entry != null) {
            chunk.entries().add(entry);
        }
    }

    private static void rejectUnknown(Event event) {
        if (!event.header().isIgnorable()) {
            throw new StreamException(
                    SourceFailure.UNSUPPORTED_EVENT,
                    "the event at %s is of the unknown type %d, and not one that may be skipped"
                            .formatted(event.position(), event.code()));
        }
    }
}
