package io.sluice.store.ring;

import io.sluice.format.entry.Entry;
import io.sluice.protocol.position.Cursor;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** The part of a store that the reader of the source uses: it puts entries. */
public interface EntrySink {
    /**
     * Appends {@code entries} in their order, and waits while there is no room for the next of them. Those before it can be
     * read meanwhile, so a list may be larger than the store; an entry larger than the store passes it alone. For one
     * thread at a time: of two at once, the lists would mix.
     *
     * @throws InterruptedException if the thread was interrupted while it waited; some entries may be in the store then
     * @throws StoreClosedException if the store is closed, or was while this waited
     */
    void put(List<? extends Entry> entries) throws InterruptedException;

    /**
     * Appends as many of {@code entries} as there is room for, as {@link #put} does, but without waiting.
     *
     * @param first the index of the first entry to append
     * @param whenRoom is run once if not all were appended: when there is more room, or the store was closed. It runs in the
     *     thread that made the room; it must be quick, and must not throw
     * @return the index after the last entry that was appended
     * @throws StoreClosedException if the store is closed
     */
    int offer(List<? extends Entry> entries, int first, Runnable whenRoom);

    /**
     * Waits until an entry of so many bytes would have room, so that it can be made then and not before. For the thread that
     * reads ahead of the one that puts.
     *
     * @param atMost how long to wait
     * @return whether there is room: so many bytes are free, or all that was put is acked
     * @throws InterruptedException if the thread was interrupted while it waited
     * @throws StoreClosedException if the store is closed, or was while this waited
     */
    boolean awaitRoom(long bytes, Duration atMost) throws InterruptedException;

    /**
     * Sets where the stream begins, before anything is put. The caller has stored this cursor for every client that had none.
     */
    void begin(Cursor cursor);

    /**
     * Adds a cursor that is valid when all that was put up to now is acked. So cursors advance while nothing becomes an entry.
     * For the thread that puts; cursors must come in the order of the stream.
     *
     * @param cursor is asked for the cursor only if it is wanted, by any thread
     */
    void checkpoint(Supplier<Cursor> cursor);

    /**
     * Lets the stream go back: what is put from now on was put in part before. After a restart all of it must come again, or older changes
     * would be the last ones that a consumer gets. So for what was put before no cursor is given out any more that is after this one. For the
     * thread that puts, when all that was read is put.
     *
     * @param to where the stream goes back to; of two servers' cursors, that of the older event is before the other one
     */
    void goBack(Cursor to);
}
