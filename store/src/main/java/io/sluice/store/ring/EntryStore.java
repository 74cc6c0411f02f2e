package io.sluice.store.ring;

import io.sluice.protocol.position.Cursor;
import org.jspecify.annotations.Nullable;

/**
 * Holds entries in binlog order between one reader of the source, which puts, and one consumer, which gets and acks.
 *
 * <p>Whatever the order of calls, what was acked is a prefix of what was put: nothing is lost, doubled or reordered. All
 * methods may be called by any thread.
 */
public interface EntryStore extends EntrySink, AutoCloseable {
    /**
     * Hands out the next entries, at most {@code limit}, if what is awaited is there. Waits for nothing: {@link #onChange} tells when to try again.
     * What was handed out stays in the store until it is acked, and several batches may be open at once. A store that is full of open
     * batches has nothing to hand out before an ack or a rollback.
     *
     * @param awaited what there must be; less is handed out while the gate lets no more pass
     * @return null, and nothing was handed out, if that is not there
     * @throws StoreClosedException if the store is closed
     */
    @Nullable Batch getIfReady(BatchLimit limit, Readiness awaited);

    /**
     * Has a task run whenever {@link #getIfReady} may have come to another answer, and when the store was closed. It runs in
     * the thread that made the change, under the store's lock: it must be quick, and must not call the store. It replaces the
     * one that was given before.
     */
    void onChange(Runnable task);

    /**
     * Has a gate decide from now on what is handed out. What was handed out before is not affected; after a rollback see {@link StoreGate#isOpenAgain}.
     *
     * @param gate replaces the one before; {@link StoreGate#OPEN} at first
     */
    void setGate(StoreGate gate);

    /** Has the gate asked again by all that wait, since it may have come to another answer. */
    void gateChanged();

    /**
     * Frees all entries up to the end of {@code batch}, and so acks all older batches, too. Acking twice does nothing.
     *
     * @throws IllegalStateException if the batch was rolled back: its entries are, or will be, handed out again
     */
    void ack(Batch batch);

    /**
     * Takes back every open batch: the next get begins after the last ack.
     *
     * <p>There is no rollback of a single batch. canal's rewinds the whole store too, but leaves the later batches open, and
     * an ack of one of these jumps over entries that were not processed; here they are void.
     */
    void rollback();

    /**
     * The newest cursor up to which everything that was put is acked. Each is given once. It never is within a transaction,
     * and never passes an entry that is not acked; only the consumer of the store may save it.
     *
     * @return null if there is none that was not given before
     */
    @Nullable Cursor takeCursor();

    /**
     * The cursor that {@link #takeCursor} gives or has given last, however often it is asked for: what is not acked follows it.
     *
     * @return null before the stream began
     */
    @Nullable Cursor cursor();

    /** What the store holds and has done. Counts the rows of all entries it holds: for a caller that asks every few seconds. */
    StoreStats stats();

    /** How far its verbs have come. */
    StoreLevel level();

    /**
     * Whether entries that were put and not handed out have so many bytes in all, as {@link io.sluice.format.entry.Entry#sizeBytes()}
     * counts them, or are three quarters of those that may wait: waiting for more of them would soon stop the source.
     */
    boolean hasWaiting(long bytes);

    /** Ends every put that waits, and every put and get that comes, by {@link StoreClosedException}. Closing twice does nothing. */
    @Override
    void close();
}
