package io.sluice.store.ring;

import io.sluice.protocol.position.Cursor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cursors that a store may give out: one where the stream began, one after each boundary between its entries.
 *
 * <p>A cursor is given out only when every entry before it is acked, and none is given out before an older one, unless the stream goes
 * back. For one thread at a time.
 */
final class BoundaryCursors {
    /** Not reached yet, in the order of their sequences. */
    private final Deque<Checkpoint> ahead = new ArrayDeque<>();

    /** The newest one that is reached; null before the stream began. */
    private @Nullable Supplier<Cursor> reached;

    private boolean isTaken;

    /** Where the stream went back; those that concern entries which are not acked. */
    private final Deque<GoneBack> gone = new ArrayDeque<>();

    /** After so many entries the stream went back to a cursor. */
    private record GoneBack(long sequence, Cursor to) {
        /** The older one of both. */
        Supplier<Cursor> older(Supplier<Cursor> cursor) {
            return () -> {
                Cursor reached = cursor.get();
                return reached.timestampMillis() >= to.timestampMillis() ? to : reached;
            };
        }
    }

    /** A cursor that is valid when so many entries are acked. */
    private record Checkpoint(long sequence, Supplier<Cursor> cursor) {}

    /** Sets where the stream begins; the caller has stored that cursor. */
    void begin(Cursor cursor) {
        reached = () -> cursor;
        isTaken = true;
    }

    /**
     * Adds a checkpoint after all that was put.
     *
     * @param sequence how many entries were put before it
     * @param acked how many of them are acked
     */
    void add(long sequence, long acked, Supplier<Cursor> cursor) {
        if (sequence <= acked) {
            ahead.clear();
            reach(cursor);
            return;
        }
        Checkpoint last = ahead.peekLast();
        if (last != null && last.sequence == sequence) {
            ahead.removeLast();
        }
        ahead.addLast(new Checkpoint(sequence, cursor));
    }

    /**
     * Has no cursor given out any more that is after one to which the stream goes back, except for entries that are put from now on.
     *
     * @param sequence how many entries were put before
     * @param acked how many of them are acked
     */
    void goBack(long sequence, long acked, Cursor to) {
        GoneBack back = new GoneBack(sequence, to);
        ahead.addAll(replaced(back));
        Supplier<Cursor> newest = reached;
        if (newest != null) {
            reach(back.older(newest));
        }
        if (sequence > acked) {
            gone.addLast(back);
        }
        add(sequence, acked, () -> to);
    }

    private Deque<Checkpoint> replaced(GoneBack back) {
        Deque<Checkpoint> older = new ArrayDeque<>();
        for (Checkpoint next = ahead.pollFirst(); next != null; next = ahead.pollFirst()) {
            older.addLast(new Checkpoint(next.sequence, back.older(next.cursor)));
        }
        return older;
    }

    /**
     * Notes an ack.
     *
     * @param acked how many entries are acked now
     * @param boundary how many entries there are up to and with the newest acked one that is a boundary; 0 if there is none
     * @param cursor the cursor after that entry
     */
    void ack(long acked, long boundary, @Nullable Supplier<Cursor> cursor) {
        Checkpoint newest = null;
        for (Checkpoint next = ahead.peekFirst(); next != null && next.sequence <= acked; next = ahead.peekFirst()) {
            newest = ahead.removeFirst();
        }
        if (newest != null && newest.sequence >= boundary) {
            reach(newest.cursor);
        } else if (cursor != null) {
            Supplier<Cursor> oldest = cursor;
            for (GoneBack back : gone) {
                oldest = back.sequence >= boundary ? back.older(oldest) : oldest;
            }
            reach(oldest);
        }
        gone.removeIf(back -> back.sequence <= acked);
    }

    private void reach(Supplier<Cursor> cursor) {
        reached = cursor;
        isTaken = false;
    }

    /** The newest cursor that is reached, unless it was taken already; null if there is none. */
    @Nullable Supplier<Cursor> take() {
        if (isTaken) {
            return null;
        }
        isTaken = true;
        return reached;
    }

    /** The newest cursor that is reached; null before the stream began. */
    @Nullable Supplier<Cursor> newest() {
        return reached;
    }
}
