package io.sluice.stream.reader;

import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.XaText;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.FormatDescription;
import io.sluice.mysql.binlog.MariaDbGtidEvent;
import io.sluice.mysql.binlog.NestedEvents;
import io.sluice.mysql.binlog.QueryEvent;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.mysql.binlog.XaPrepareEvent;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.mysql.transaction.TransactionCommand;
import io.sluice.mysql.transaction.TransactionTracker;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.mysql.transaction.Xid;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.Time;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.Event;
import io.sluice.stream.mapping.TableMapping;
import io.sluice.stream.mapping.TableMappings;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.XaHolding;
import io.sluice.stream.xa.HeldEvents;
import io.sluice.stream.xa.HeldSpace;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dispatches events as {@link EventDispatcher} does, but holds back the events of XA transactions until they are committed.
 *
 * <pre>
 *             XA START            XA PREPARE                XA COMMIT
 *   PASSING ────────────▶ HOLDING ──────────▶ undecided ─────────────────▶ REPLAYING ─▶ PASSING
 *                            │                    │ XA ROLLBACK                ▲
 *                            │                    ▼                            │
 *                            │                 discarded                       │
 *                            └─────────────────────────────────────────────────┘
 *                                  XA COMMIT … ONE PHASE, or any other end
 * </pre>
 *
 * <p>The events are delivered as if they were contained in the event that commits, like those of a compressed transaction: with its
 * position, time and GTID.
 *
 * <p>While a transaction is undecided, all boundaries are before its first event.
 */
final class XaDispatcher extends EventDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(XaDispatcher.class);

    private final HeldSpace space;
    private final UndecidedTransactions undecided;
    private final Replays replays;

    private @Nullable HeldTransaction holding;
    private @Nullable HeldReplay replaying;

    /** When the last event of the last transaction was written, for the boundaries before held transactions; 0 if none was read. */
    private long readUpToSeconds;

    private long readUpToServerId;

    /** Starts the replay of held events for the event that is dispatched. */
    @FunctionalInterface
    interface Replays {
        /** Is to be read before the event is passed. */
        void open(NestedEvents held);
    }

    XaDispatcher(
            StreamOptions options,
            XaHolding xa,
            TableMappings tables,
            StatementReader statements,
            StreamProgress progress,
            TransactionTracker transactions,
            GtidTracker gtids,
            Time time,
            Replays replays) {
        super(options, tables, statements, progress, transactions, gtids, time);
        this.space = xa.space();
        this.undecided = new UndecidedTransactions(time);
        this.replays = replays;
    }

    @Override
    boolean needsWhole(Event event, FormatDescription format) {
        HeldReplay replay = replaying;
        if (replay != null) {
            return super.needsWhole(event, replay.transaction().format());
        }
        EventType rowsType = RowsReader.typeOf(event.code());
        if (holding != null && rowsType != null) {
            return rows.leaves(event.body(), rowsType, format); // also what came before the connection broke
        }
        return super.needsWhole(event, format);
    }

    @Override
    long bytesOf(Event event, FormatDescription format) {
        HeldReplay replay = replaying;
        if (replay != null) {
            return super.bytesOf(event, replay.transaction().format());
        }
        return holding == null ? super.bytesOf(event, format) : event.length(); // held back as it is
    }

    @Override
    void leaveUnread(Chunk chunk, Event event, FormatDescription format, long bytes) throws IOException {
        HeldReplay replay = replaying;
        HeldTransaction open = holding;
        EventType rowsType = RowsReader.typeOf(event.code());
        if (replay != null) {
            super.leaveUnread(chunk, event, replay.transaction().format(), bytes);
        } else if (open != null && rowsType != null) {
            rows.requireUnread(event, bytes);
            join(event, transactions.step(event.code(), event.body()));
            rows.pass(event, format);
            hold(open, () -> open.appendCut(event));
            progress.passOfTransaction();
        } else {
            super.leaveUnread(chunk, event, format, bytes);
        }
    }

    @Override
    void dispatch(Chunk chunk, Event event, FormatDescription format) throws IOException {
        if (replaying != null) {
            replay(chunk, event, replaying);
        } else if (holding != null && event.code() == EventCode.MARIADB_GTID) { // the one before was cut off
            dropOpen();
            pass(chunk, event, format);
        } else if (holding != null) {
            hold(chunk, event, format, holding);
        } else {
            pass(chunk, event, format);
        }
        if (event.step() == Step.ENDS || event.step() == Step.ALONE) {
            readUpToSeconds = event.timestampSeconds();
            readUpToServerId = event.serverId();
        }
    }

    private void pass(Chunk chunk, Event event, FormatDescription format) throws IOException {
        switch (event.code()) {
            case EventCode.QUERY, EventCode.MARIADB_QUERY_COMPRESSED -> statement(chunk, event, format);
            case EventCode.MARIADB_GTID -> {
                if (MariaDbGtidEvent.preparesXa(event.body())) {
                    begin(event, format);
                    hold(chunk, event, format, opened());
                } else {
                    undecided.report(event.timestampSeconds());
                    super.dispatch(chunk, event, format);
                }
            }
            case EventCode.GTID, EventCode.GTID_TAGGED, EventCode.ANONYMOUS_GTID -> {
                undecided.report(event.timestampSeconds());
                super.dispatch(chunk, event, format);
            }
            case EventCode.HEARTBEAT, EventCode.HEARTBEAT_V2 -> {
                undecided.lookNow();
                super.dispatch(chunk, event, format);
            }
            default -> super.dispatch(chunk, event, format);
        }
    }

    private HeldTransaction opened() {
        HeldTransaction open = holding;
        if (open == null) {
            throw new IllegalStateException("no XA transaction is held back");
        }
        return open;
    }

    private void statement(Chunk chunk, Event event, FormatDescription format) throws IOException {
        QueryEvent query = texts.decode(event);
        TransactionCommand command = TransactionCommand.of(query.sql());
        switch (command) {
            case XA_START -> {
                begin(event, format);
                hold(chunk, event, format, opened());
            }
            case XA_COMMIT, XA_ROLLBACK -> {
                if (transactions.step(command) == Step.ALONE) {
                    decide(event, query, command);
                } else {
                    super.dispatch(chunk, event, format);
                }
            }
            case BEGIN, COMMIT, ROLLBACK, SAVEPOINT, ROLLBACK_TO_SAVEPOINT, RELEASE_SAVEPOINT, XA_END, NONE ->
                super.dispatch(chunk, event, format);
        }
    }

    /** Starts to hold back the transaction that begins with this event. */
    private void begin(Event event, FormatDescription format) {
        LogFile file = progress.file();
        boolean isKnown = readUpToSeconds != 0;
        Boundary start = new Boundary(
                file.source(),
                transactions.isBetween() ? new BinlogPosition(file.name(), event.start()) : transactions.boundary(),
                transactions.executed(),
                isKnown ? readUpToServerId : event.serverId(),
                (isKnown ? readUpToSeconds : event.timestampSeconds()) * 1000,
                file.schema(),
                file.begunSeconds());
        holding = new HeldTransaction(new HeldEvents(space), format, start);
    }

    /** Handles an event while a transaction is held back; nearly all belong to it. */
    private void hold(Chunk chunk, Event event, FormatDescription format, HeldTransaction open) throws IOException {
        int code = event.code();
        EventType rowsType = RowsReader.typeOf(code);
        if (rowsType != null) {
            join(event, transactions.step(code, event.body()));
            boolean leaves = rows.leavesLater(event, rowsType, format, progress.isAhead(event));
            rows.pass(event, format);
            holdOrPass(event, open, leaves);
            progress.passOfTransaction();
            return;
        }
        switch (code) {
            case EventCode.QUERY, EventCode.MARIADB_QUERY_COMPRESSED -> {
                TransactionCommand command =
                        TransactionCommand.of(texts.decode(event).sql());
                Step step = transactions.step(command);
                join(event, step);
                hold(open, () -> open.append(event));
                progress.passOfTransaction();
                if (command == TransactionCommand.ROLLBACK || command == TransactionCommand.XA_ROLLBACK) {
                    dropOpen();
                } else if (step == Step.ENDS) {
                    commit(event, open, null);
                }
            }
            case EventCode.XID -> {
                join(event, Step.ENDS);
                hold(open, () -> open.append(event));
                commit(event, open, null);
            }
            case EventCode.XA_PREPARE -> {
                XaPrepareEvent prepare = XaPrepareEvent.decode(event.body());
                join(event, Step.ENDS);
                if (prepare.onePhase()) {
                    commit(event, open, null);
                } else {
                    prepare(event, open, Xid.of(prepare));
                }
            }
            case EventCode.TABLE_MAP -> {
                super.dispatch(chunk, event, format);
                long tableId = TableMap.readTableId(event.body(), format);
                TableMapping mapping = tables.byId(tableId);
                if (mapping != null && mapping.table() != null) {
                    hold(open, () -> open.append(tableId, mapping));
                }
            }
            case EventCode.ROWS_QUERY,
                    EventCode.MARIADB_ANNOTATE_ROWS,
                    EventCode.INTVAR,
                    EventCode.RAND,
                    EventCode.USER_VAR,
                    EventCode.BEGIN_LOAD_QUERY -> {
                join(event, transactions.step(code, event.body()));
                holdOrPass(event, open, !texts.dropsRowStatements());
                progress.passOfTransaction();
            }
            case EventCode.MARIADB_GTID -> {
                join(event, transactions.step(code, event.body()));
                mariaDb.follow(event); // its begin is made when it is delivered
                hold(open, () -> open.append(event));
                progress.passOfTransaction();
            }
            default -> {
                super.dispatch(chunk, event, format);
                if (transactions.isBetween()
                        || event.step() == Step.ANNOUNCES) { // it was cut off by the end of the file
                    dropOpen();
                }
            }
        }
    }

    private static void holdOrPass(Event event, HeldTransaction open, boolean leaves) {
        if (leaves) {
            hold(open, () -> open.append(event));
        } else {
            open.events().pass();
        }
    }

    private static void hold(HeldTransaction transaction, Holding holding) {
        try {
            holding.run();
        } catch (IOException e) {
            throw HeldReplay.failed("written to", transaction, e);
        }
    }

    @FunctionalInterface
    private interface Holding {
        void run() throws IOException;
    }

    private void prepare(Event event, HeldTransaction open, Xid xid) {
        if (!progress.isAhead(event)) { // it came before the connection broke, and is undecided since, or decided
            dropOpen();
            return;
        }
        hold(open, open.events()::seal);
        holding = null;
        undecided.add(xid, open, event.timestampSeconds(), event.position());
        progress.setUndecidedStart(undecided.start());
    }

    private void decide(Event event, QueryEvent query, TransactionCommand command) throws IOException {
        String text = XaText.of(StatementReader.textOf(query)).xid();
        Xid xid = Xid.parse(text);
        HeldTransaction found = xid == null ? null : undecided.get(xid);
        join(event, Step.ALONE);
        if (found != null && command == TransactionCommand.XA_COMMIT) {
            commit(event, found, xid);
        } else if (found != null && xid != null) {
            remove(xid, found, "XA ROLLBACK");
        } else if (command == TransactionCommand.XA_COMMIT && progress.isAhead(event)) {
            LOG.warn(
                    "XA COMMIT of a transaction that was prepared before the position where reading started: its rows do not come, and"
                            + " are lost unless an earlier run delivered them; if none did, set the cursor before its XA"
                            + " PREPARE, or load its tables again: xid={} at={}",
                    xid == null ? text : xid,
                    event.position());
        } else {
            LOG.debug("a decision on an XA transaction that is not held back: xid={} at={}", text, event.position());
        }
        progress.passOfTransaction();
    }

    /** Delivers a held transaction for the event that commits it. */
    private void commit(Event event, HeldTransaction held, @Nullable Xid xid) throws IOException {
        if (xid == null) {
            hold(held, held.events()::seal);
            holding = null;
        }
        join(event, transactions.isBetween() || event.step() == Step.ALONE ? Step.PRECEDES : Step.WITHIN);
        HeldReplay replay = new HeldReplay(held, xid, event.header(), tables, progress);
        replaying = replay;
        replays.open(replay);
    }

    private void remove(Xid xid, HeldTransaction transaction, String decision) {
        undecided.remove(xid, decision);
        transaction.events().discard();
        progress.setUndecidedStart(undecided.start());
    }

    /** Dispatches a replayed event. */
    private void replay(Chunk chunk, Event event, HeldReplay replay) throws IOException {
        FormatDescription format = replay.transaction().format();
        if (event.code() == EventCode.MARIADB_GTID) {
            join(event, Step.BEGINS);
            add(chunk, mariaDb.replayedBegin(event));
            openTransaction.begin(chunk, progress.isAhead(event));
            progress.passOfTransaction();
        } else if (event.code() == EventCode.QUERY || event.code() == EventCode.MARIADB_QUERY_COMPRESSED) {
            QueryEvent query = texts.decode(event);
            TransactionCommand command = TransactionCommand.of(query.sql());
            Step step = command == TransactionCommand.XA_END ? Step.ENDS : transactions.step(command);
            end(event, replay, step);
            join(event, step);
            read(chunk, event, query, command);
            progress.passOfTransaction();
        } else {
            end(event, replay, transactions.step(event.code(), event.body()));
            super.dispatch(chunk, event, format);
        }
    }

    /** After its last event an undecided transaction no longer holds the cursor. */
    private void end(Event event, HeldReplay replay, Step step) {
        Xid xid = replay.xid();
        if (step == Step.ENDS) {
            if (xid != null) {
                undecided.remove(xid, "XA COMMIT");
                progress.setUndecidedStart(undecided.start());
            }
            event.setFile(progress.file());
        }
    }

    @Override
    void onReplayEnd() {
        super.onReplayEnd();
        HeldReplay replay = replaying;
        if (replay != null) {
            replaying = null;
            replay.close();
            Xid xid = replay.xid();
            if (xid == null) {
                replay.transaction().events().discard();
            } else {
                remove(xid, replay.transaction(), "XA COMMIT");
            }
        }
    }

    private void dropOpen() {
        HeldTransaction open = holding;
        holding = null;
        if (open != null) {
            open.events().discard();
        }
    }

    /** Discards the held events of a transaction that is not prepared, since they are read again; prepared transactions are kept. */
    @Override
    void onReconnect() {
        super.onReconnect();
        dropOpen();
        HeldReplay replay = replaying;
        replaying = null;
        if (replay != null) {
            replay.close();
            if (replay.xid() == null || undecided.get(replay.xid()) == null) {
                replay.transaction().events().discard();
            }
        }
    }

    @Override
    void onRestart() {
        super.onRestart();
        onReconnect();
        undecided.clear();
        space.clean();
        readUpToSeconds = 0;
        progress.setUndecidedStart(null);
    }

    @Override
    void setSourceClock(long millis) {
        undecided.setSourceClock(millis);
    }

    @Override
    @Nullable Boundary undecidedStart() {
        return undecided.start();
    }

    @Override
    int undecidedTransactions() {
        return undecided.count();
    }

    @Override
    void close() {
        super.close();
        onReconnect();
        undecided.clear();
    }
}
