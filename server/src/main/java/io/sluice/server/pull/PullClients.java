package io.sluice.server.pull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.ring.EntryStore;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The clients that pull one instance's store: canal's rules for subscriptions, batches and cursors.
 *
 * <p>All clients of a destination read one stream at one position: two clients share the entries, and do not each get all of
 * them. Each has its own batch numbers and its own cursor. A rollback makes the batches of its own client void, no others.
 *
 * <p>A get that must wait holds neither a thread nor a lock; it is checked when the store changes. The store must have no other listener.
 *
 * <p>Thread-safe. One lock guards the {@link SharedStream}, the gets of {@link WaitingAnswers}, the {@link CursorFollower} and the changes that
 * {@link ClientSubscriptions} are storing. The store's lock is taken while it is held, never the other way round: the store calls {@link
 * WaitingAnswers#check}, which takes none. Nothing is stored or answered under it.
 */
public final class PullClients implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final CursorFollower follower;

    @GuardedBy("lock") private final SharedStream stream;

    private final WaitingAnswers waiting;
    private final ClientSubscriptions subscriptions;

    /**
     * Takes over the reading of a store.
     *
     * @param cursors keeps the clients and their cursors; not closed by this
     * @param workers runs what answers gets that have waited
     * @param timer ends waits; a thread of it is used for an instant only
     * @param filters judges the clients' table filters, and puts them into force
     * @param numbers those of the destination's batches, which continue with the next instance
     * @param maxSubscriptions how many clients may be subscribed
     * @param mayDeliver whether this server still owns the destination; asked before anything is handed out or acked
     */
    public PullClients(
            String destination,
            EntryStore store,
            CursorStore cursors,
            Executor workers,
            ScheduledExecutorService timer,
            ClientFilters filters,
            BatchNumbers numbers,
            int maxSubscriptions,
            BooleanSupplier mayDeliver) {
        this.follower = new CursorFollower(destination, store, cursors, timer, workers);
        this.stream = new SharedStream(destination, store, cursors, follower, numbers, mayDeliver);
        this.waiting = new WaitingAnswers(destination, lock, stream, workers, timer);
        this.subscriptions =
                new ClientSubscriptions(destination, store, cursors, filters, maxSubscriptions, lock, stream, waiting);
        store.onChange(waiting::check);
    }

    /** Begins to let the cursors follow the stream also while no client asks, until this is closed; clients may have come before. Once. */
    public void start() {
        lock.lock();
        try {
            if (!stream.isClosed()) {
                follower.start(this::follow);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds a client, which begins at its cursor; a new one gets the position before everything that is not acked. That, and a changed filter, is stored
     * before this returns, so that a restart skips nothing.
     *
     * @param filter which tables are delivered from now on, to all clients; empty or blanks leave the filter in force
     * @throws PullException if the filter is rejected, or there are too many clients, or if that cannot be stored; nothing has changed then
     */
    public void subscribe(int clientId, String filter) {
        subscriptions.subscribe(clientId, filter);
    }

    /**
     * Removes a client, its batches, its filter and its cursor, except that the filter and the cursor of the last client are kept; one that is
     * not there is no error. Its gets that wait are answered by nothing: entries handed out to it would be held for ever. Stored before this returns, or a
     * restart would bring the client and its filter back.
     *
     * @throws PullException if that cannot be stored; the client is subscribed then, and its batches are handed out again
     */
    public void unsubscribe(int clientId) {
        subscriptions.unsubscribe(clientId);
    }

    /**
     * Answers with the next entries, now or when the request's wait is over.
     *
     * @return what ends the wait without an answer; running it late or twice does nothing
     * @throws PullException if the client has not subscribed
     */
    public Runnable get(PullRequest request, PullAnswer answer) {
        PulledBatch batch;
        lock.lock();
        try {
            stream.requireOpen();
            stream.requireSubscribed(request.clientId());
            batch = stream.take(request, request.batchWait().nanos() == 0, answer);
            if (batch == null) {
                return waiting.add(request, answer);
            }
        } finally {
            lock.unlock();
        }
        answer.batch(batch);
        return () -> {};
    }

    /**
     * Lets the cursors follow the stream while no client asks: else a restart, after a long time without a client, would begin where the source has no
     * binlog any more, though nothing came for one. Also checks the gets that wait again: this server may own the destination again after it did not for
     * a while, without any change of the store.
     */
    void follow() {
        lock.lock();
        try {
            if (stream.isOpen()) {
                follower.follow();
                waiting.check();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * States that the stream continues at the newest position of its source, since what was to be read has been purged. From now on all clients
     * get the cursor that an ack of one of them leads to, and so does one that is idle: the next start would begin at its cursor, and be a
     * further reset. Called before the first {@linkplain EntryStore#checkpoint checkpoint} there.
     */
    public void streamWasReset() {
        lock.lock();
        try {
            follower.streamWasReset();
        } finally {
            lock.unlock();
        }
    }

    /** States that a batch has left the process, or never will: its bytes take no memory any more. */
    public void sent(PulledBatch batch) {
        lock.lock();
        try {
            if (stream.sent(batch)) {
                waiting.check();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Acks a client's oldest open batch. Cursors follow what the store has acked: while another client holds an older batch, that
     * of this one does not pass it.
     *
     * @throws PullException if that is not the client's oldest open batch
     */
    public void ack(int clientId, long batchId) {
        lock.lock();
        try {
            stream.requireOpen();
            stream.requireSubscribed(clientId);
            stream.ack(clientId, batchId);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes the open batches of a client void, to be handed out again: to this client, or to another one that has got nothing that follows them. One that
     * has not subscribed has none.
     *
     * <p>Its gets that wait are answered by nothing: they are those of a connection that is lost on its side, and would take
     * entries there.
     */
    public void rollback(int clientId) {
        Runnable answers;
        lock.lock();
        try {
            stream.requireOpen();
            answers = waiting.endOf(clientId);
            giveBack(clientId);
        } finally {
            lock.unlock();
        }
        answers.run();
    }

    /**
     * Rolls back from a client's oldest open batch on, which makes its later ones void, too: acks of these would pass over
     * the entries that come again. One that has not subscribed has no batches: nothing is done for it.
     *
     * @throws PullException if that is not the client's oldest open batch
     */
    public void rollback(int clientId, long batchId) {
        lock.lock();
        try {
            stream.requireOpen();
            if (stream.isSubscribed(clientId)) {
                stream.requireOldest(clientId, batchId);
                giveBack(clientId);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void giveBack(int clientId) {
        if (stream.giveBack(clientId)) {
            waiting.check();
        }
    }

    /** Ends every wait by an error, and takes no more. Closing twice does nothing. */
    @Override
    public void close() {
        Runnable answers;
        lock.lock();
        try {
            stream.close();
            follower.stop();
            answers = waiting.endAll();
        } finally {
            lock.unlock();
        }
        answers.run();
    }
}
