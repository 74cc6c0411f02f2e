package io.sluice.mysql.transaction;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import org.jspecify.annotations.Nullable;

/**
 * Follows the transactions of a binlog, for streams and for scans alike: where the next one begins, and which are executed.
 *
 * <pre>
 *                GTID, INTVAR, RAND, USER_VAR             BEGIN, XA START, MARIADB_GTID (not standalone),
 *   ┌─────────┐ ──────────────────────────────▶ ┌───────────┐ rows           ┌──────┐
 *   │ BETWEEN │                                  │ ANNOUNCED │ ─────────────▶ │ OPEN │ ◀─┐ statements, rows,
 *   └─────────┘ ◀────────────────────────────── └───────────┘                └──────┘ ──┘ XA END, SAVEPOINT
 *        ▲        a statement of its own: DDL,                                  │
 *        │        XA COMMIT, a payload                                          │
 *        └───────────────────────────────────────────────────────────────────┘
 *                 XID, COMMIT, ROLLBACK, XA PREPARE; or the file ends, which cuts the transaction off
 * </pre>
 *
 * <p>A statement within a transaction, be it a DDL such as {@code CREATE TABLE … SELECT}, does not end it. Reading can resume
 * only at {@link #boundary}. For one thread.
 *
 * <p>An event is first classified, which changes nothing, and passed when what it becomes was handed on: if that fails, the
 * boundary is still before it.
 */
public final class TransactionTracker {
    private static final int MARIADB_FLAGS_OFFSET = 12;
    private static final int MARIADB_STANDALONE = 1;

    private State state = State.BETWEEN;
    private String boundaryFile;
    private long boundaryOffset;
    private @Nullable GtidSet executed;
    private @Nullable GtidSet withCurrent;
    private @Nullable Gtid current;
    private boolean isBeginMissing;

    private enum State {
        BETWEEN,
        ANNOUNCED,
        OPEN
    }

    /** The part of an event in the transaction that it belongs to. */
    public enum Step {
        /** It belongs to none, such as the head of a file. */
        OUTSIDE,
        /** It names the transaction that follows. */
        ANNOUNCES,
        /** It names the transaction that follows, and begins it. */
        ANNOUNCES_AND_BEGINS,
        /** It belongs to the statement that follows, and is the first event of a transaction that nothing announced. */
        PRECEDES,
        /** It begins a transaction. */
        BEGINS,
        /** It is an event of the open transaction. */
        WITHIN,
        /** With it, all rows of an XA transaction were logged; the event that prepares it follows. */
        ROWS_END,
        /** It ends the transaction. */
        ENDS,
        /** It is a transaction of its own, such as a DDL. */
        ALONE;
    }

    /** Makes a tracker at a position between two transactions, with the transactions before it; null not to follow them. */
    public TransactionTracker(BinlogPosition boundary, @Nullable GtidSet executed) {
        this.boundaryFile = boundary.file();
        this.boundaryOffset = boundary.offset();
        this.executed = executed;
        this.withCurrent = executed;
    }

    /** Continues at another position between two transactions, with the transactions before it; null not to follow them. */
    public void restart(BinlogPosition position, @Nullable GtidSet before) {
        moveTo(position.file(), position.offset());
        follow(before);
        resume();
    }

    /**
     * Classifies an event that is no statement; see {@link #step(TransactionCommand)} for these. Changes nothing.
     *
     * @param body of the event, not advanced; the first bytes are enough
     */
    public Step step(int code, EventBody body) {
        return switch (code) {
            case EventCode.GTID, EventCode.GTID_TAGGED, EventCode.ANONYMOUS_GTID -> Step.ANNOUNCES;
            case EventCode.MARIADB_GTID -> isStandalone(body) ? Step.ANNOUNCES : Step.ANNOUNCES_AND_BEGINS;
            case EventCode.XID, EventCode.XA_PREPARE -> Step.ENDS;
            case EventCode.TRANSACTION_PAYLOAD -> Step.ALONE;
            case EventCode.EXECUTE_LOAD_QUERY -> state == State.OPEN ? Step.WITHIN : Step.ALONE;
            case EventCode.FORMAT_DESCRIPTION,
                    EventCode.ROTATE,
                    EventCode.STOP,
                    EventCode.PREVIOUS_GTIDS,
                    EventCode.HEARTBEAT,
                    EventCode.HEARTBEAT_V2,
                    EventCode.MARIADB_GTID_LIST,
                    EventCode.MARIADB_BINLOG_CHECKPOINT,
                    EventCode.MARIADB_START_ENCRYPTION -> Step.OUTSIDE;
            default -> other(code);
        };
    }

    private Step other(int code) {
        if (code == EventCode.TABLE_MAP || EventCode.isRows(code)) {
            return Step.WITHIN;
        }
        if (state == State.OPEN) {
            return Step.WITHIN;
        }
        return EventCode.announces(code) ? Step.PRECEDES : Step.OUTSIDE;
    }

    private static boolean isStandalone(EventBody body) {
        EventBody copy = new EventBody(body.array(), body.offset(), body.end());
        copy.skip(MARIADB_FLAGS_OFFSET);
        return (copy.readByte() & MARIADB_STANDALONE) != 0;
    }

    /** Classifies a statement. Changes nothing. */
    public Step step(TransactionCommand command) {
        return switch (command) {
            case BEGIN, XA_START -> Step.BEGINS;
            case COMMIT, ROLLBACK -> Step.ENDS;
            case SAVEPOINT, ROLLBACK_TO_SAVEPOINT, RELEASE_SAVEPOINT -> Step.WITHIN;
            case XA_END -> Step.ROWS_END;
            case XA_ROLLBACK -> state == State.OPEN ? Step.ENDS : Step.ALONE; // it may not have been prepared
            case XA_COMMIT, NONE -> state == State.OPEN ? Step.WITHIN : Step.ALONE;
        };
    }

    /** Whether no transaction is open after a step, so that reading can resume there. */
    public boolean isBoundaryAfter(Step step) {
        return switch (step) {
            case ENDS, ALONE -> true;
            case OUTSIDE -> isBetween();
            case ANNOUNCES, ANNOUNCES_AND_BEGINS, PRECEDES, BEGINS, WITHIN, ROWS_END -> false;
        };
    }

    /**
     * Notes the transaction that an event names which is about to be passed; does nothing if transactions are not followed.
     *
     * @throws IllegalArgumentException if the transactions before it are of another flavour of server
     */
    public void announce(Gtid gtid) {
        if (executed != null) {
            withCurrent = executed.plus(gtid);
            current = gtid;
        }
    }

    /** Notes that an event follows which has no GTID: from there on a GTID set does not tell a position. */
    public void announceAnonymous() {
        executed = null;
        withCurrent = null;
        current = null;
    }

    /** Sets the transactions before the boundary, as the head of a file states them; null if it is not known. */
    public void follow(@Nullable GtidSet before) {
        executed = before;
        withCurrent = before;
        current = null;
    }

    /**
     * Passes an event.
     *
     * @param file the file that it is in
     * @param start its offset
     * @param end the offset of the next event
     */
    public void pass(Step step, String file, long start, long end) {
        switch (step) {
            case OUTSIDE -> {
                if (isBetween()) {
                    moveTo(file, end);
                }
            }
            case ANNOUNCES -> {
                moveTo(file, start);
                state = State.ANNOUNCED;
            }
            case ANNOUNCES_AND_BEGINS -> {
                moveTo(file, start);
                state = State.OPEN;
            }
            case PRECEDES -> {
                if (isBetween()) {
                    moveTo(file, start);
                    state = State.ANNOUNCED;
                }
            }
            case BEGINS -> {
                if (isBetween()) {
                    moveTo(file, start);
                }
                state = State.OPEN;
            }
            case WITHIN -> {
                isBeginMissing |= isBetween();
                state = State.OPEN;
            }
            case ROWS_END -> state = State.OPEN;
            case ENDS, ALONE -> {
                state = State.BETWEEN;
                isBeginMissing = false;
                moveTo(file, end);
                executed = withCurrent;
                current = null;
            }
        }
    }

    private void moveTo(String file, long offset) {
        boundaryFile = file;
        boundaryOffset = offset;
    }

    /**
     * Continues in another file, where no transaction is open: one that was open in the file before is cut off, and was never
     * committed.
     *
     * @return whether one was cut off
     */
    public boolean enter(String file, long offset) {
        boolean isCutOff = state == State.OPEN;
        state = State.BETWEEN;
        withCurrent = executed;
        current = null;
        isBeginMissing = false;
        moveTo(file, offset);
        return isCutOff;
    }

    /** Continues at the boundary, where the events of the open transaction come again. */
    public void resume() {
        state = State.BETWEEN;
        withCurrent = executed;
        current = null;
        isBeginMissing = false;
    }

    /** Whether no transaction is open or announced. */
    public boolean isBetween() {
        return state == State.BETWEEN;
    }

    /** Whether a transaction is open whose begin was not seen: reading began within it. */
    public boolean isBeginMissing() {
        return isBeginMissing;
    }

    /** Where the transaction begins that is open or announced, or else the next one: where reading can resume. */
    public BinlogPosition boundary() {
        return new BinlogPosition(boundaryFile, boundaryOffset);
    }

    /** Whether the boundary is at an offset of the file that is read. */
    public boolean isBoundary(long offset) {
        return boundaryOffset == offset;
    }

    /** The transactions before {@link #boundary}; null if they are not followed. */
    public @Nullable GtidSet executed() {
        return executed;
    }

    /** {@link #executed} with the transaction that is open or announced; null if they are not followed. */
    public @Nullable GtidSet withCurrent() {
        return withCurrent;
    }

    /** The GTID of the transaction that is open or announced; null if there is none, it has none, or GTIDs are not followed. */
    public @Nullable Gtid current() {
        return current;
    }
}
