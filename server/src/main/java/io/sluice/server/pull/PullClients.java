package io.sluice.server.pull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.PooledTimer;
import io.sluice.protocol.wire.Rejection;
import io.sluice.schema.filter.IncludeList;
import io.sluice.server.pull.UnstoredChanges.UnstoredChange;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.Batch;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.Readiness;
import io.sluice.store.ring.StoreClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients that pull one instance's store: canal's rules for subscriptions, batches and cursors.
 *
 * <p>All clients of a destination read one stream at one position: two clients share the entries, and do not each get all of
 * them. Each has its own batch numbers and its own cursor. A rollback makes the batches of its own client void, no others.
 *
 * <p>A get that must wait holds neither a thread nor a lock; it is checked when the store changes. Thread-safe. The store must
 * have no other listener.
 */
public final class PullClients implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PullClients.class);

    private final String destination;
    private final EntryStore store;
    private final CursorStore cursors;
    private final PooledTimer workers;
    private final PooledTimer follower;
    private final ClientFilters filters;
    private final int maxSubscriptions;
    private final BooleanSupplier mayDeliver;
    private final long maxUnsentBytes;

    /** How often the cursors follow the stream while no client asks. */
    private static final Duration FOLLOW_PERIOD = Duration.ofSeconds(1);

    private final AtomicBoolean serving = new AtomicBoolean();
    private final AtomicBoolean isFollowedLater = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final OpenBatches open;

    @GuardedBy("lock") private final WaitingGets waiting = new WaitingGets();

    @GuardedBy("lock") private long unsentBytes;

    @GuardedBy("lock") private boolean closed;

    /** Whether an ack of one client moves the cursors of all. */
    @GuardedBy("lock") private boolean movesAll;

    /** Lets the cursors follow the stream; null before the start. */
    @GuardedBy("lock") private @Nullable Future<?> following;

    @GuardedBy("lock") private final UnstoredChanges unstored = new UnstoredChanges();

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
        this.destination = destination;
        this.store = store;
        this.cursors = cursors;
        this.workers = new PooledTimer(
                timer,
                workers,
                failure -> LOG.error(
                        "no worker takes the gets of clients that wait, trying again: instance={} cause={}",
                        destination,
                        String.valueOf(failure)));
        this.follower = new PooledTimer(timer, workers, this::notFollowed);
        this.filters = filters;
        this.open = new OpenBatches(numbers);
        this.maxSubscriptions = maxSubscriptions;
        this.mayDeliver = mayDeliver;
        this.maxUnsentBytes = 2 * store.stats().config().capacityBytes();
        store.onChange(this::storeChanged);
    }

    /** Begins to let the cursors follow the stream also while no client asks, until this is closed; clients may have come before. Once. */
    public void start() {
        lock.lock();
        try {
            if (!closed) {
                following = follower.every(FOLLOW_PERIOD, this::follow);
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
        IncludeList judged = filter.isBlank() ? null : filters.judged(filter); // takes a while, so without the lock
        boolean isOther = false;
        UnstoredChange change;
        lock.lock();
        try {
            requireOpen();
            requireRoom(clientId);
            List<Subscription> before = cursors.kept();
            if (judged == null) {
                isOther = filters.subscribe(clientId);
            } else {
                filters.subscribe(clientId, judged);
            }
            boolean isNew = cursors.load(clientId)
                    == null; // looked up here: what follows the stream may give it one before it is stored
            change = unstored.begin(clientId, before, cursors.kept(), isNew);
        } finally {
            lock.unlock();
        }
        if (change != null) {
            store(clientId, change);
        }
        if (judged != null) {
            filters.putIntoForce(clientId, judged);
        } else if (isOther) {
            filters.restore();
        }
    }

    /**
     * Stores a change. Gives clients without a cursor that of the store; before the stream begins there is none, and it gives them its first. Without the
     * lock: it waits for a disk or for ZooKeeper.
     */
    private void store(int clientId, UnstoredChange change) {
        try {
            if (!cursors.begin(store::cursor)) {
                cursors.flush();
            }
        } catch (CursorException e) {
            takeBack(clientId, change);
            throw new PullException("the change of the subscription cannot be stored: " + e.getMessage());
        }
        lock.lock();
        try {
            if (!unstored.stored(change)) {
                throw new PullException(
                        "the change of the subscription cannot be stored: another request has failed to");
            }
        } finally {
            lock.unlock();
        }
    }

    private void takeBack(int clientId, UnstoredChange change) {
        List<WaitingGet> stale = List.of();
        lock.lock();
        try {
            if (unstored.failed(change)) { // else another request has stored it, or taken it back
                cursors.takeBack(clientId, change.before());
                if (!isSubscribed(clientId)) {
                    stale = waiting.removeOf(clientId);
                    leave(clientId);
                }
            }
        } finally {
            lock.unlock();
        }
        filters.restore(); // another request may have put one into force meanwhile, or stored the change, which this
        // one does not put into force
        answerByNothing(stale);
    }

    /**
     * Removes a client, its batches, its filter and its cursor, except that the filter and the cursor of the last client are kept; one that is
     * not there is no error. Its gets that wait are answered by nothing: entries handed out to it would be held for ever. Stored before this returns, or a
     * restart would bring the client and its filter back.
     *
     * @throws PullException if that cannot be stored; the client is subscribed then, and its batches are handed out again
     */
    public void unsubscribe(int clientId) {
        List<WaitingGet> stale;
        boolean wasInForce;
        UnstoredChange change;
        lock.lock();
        try {
            requireOpen();
            List<Subscription> before = cursors.kept();
            stale = waiting.removeOf(clientId);
            wasInForce = filters.unsubscribe(clientId);
            leave(clientId);
            change = unstored.begin(clientId, before, cursors.kept(), false);
        } finally {
            lock.unlock();
        }
        answerByNothing(stale);
        if (change != null) {
            store(clientId, change);
        }
        if (wasInForce) {
            filters.restore();
        }
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
            requireOpen();
            requireSubscribed(request.clientId());
            batch = take(request, request.batchWait().nanos() == 0, answer);
            if (batch == null) {
                WaitingGet get = new WaitingGet(request, answer);
                waiting.add(get);
                startTimeout(get);
                // The store may have changed between the check and the registration of the wait.
                storeChanged();
                return () -> cancel(get);
            }
        } finally {
            lock.unlock();
        }
        answer.batch(batch);
        return () -> {};
    }

    @GuardedBy("lock") private void startTimeout(WaitingGet get) {
        if (get.request.batchWait().nanos() < BatchWait.FOR_EVER.nanos()) {
            get.timeout = workers.schedule(
                    () -> timeOut(get), Duration.ofNanos(get.request.batchWait().nanos()));
        }
    }

    /** Takes a batch for a client; null if it is worth waiting for more, and {@code atOnce} does not forbid it. */
    @GuardedBy("lock") private @Nullable PulledBatch take(PullRequest request, boolean atOnce, PullAnswer answer) {
        if (unsentBytes > maxUnsentBytes || !answer.isWanted() || !mayDeliver.getAsBoolean()) {
            return atOnce ? PulledBatch.NOTHING : null;
        }
        Batch batch = open.takeReturned(
                request.clientId(),
                this::isSubscribed,
                request.limit()); // without waiting for more: it would not become any larger
        if (batch == null) {
            batch = store.getIfReady(
                    request.limit(),
                    atOnce ? Readiness.ANY : request.batchWait().awaited());
        }
        if (batch == null) {
            followStream();
            return atOnce ? PulledBatch.NOTHING : null;
        }
        unsentBytes += batch.sizeBytes();
        return new PulledBatch(open.add(request.clientId(), batch), batch.entries(), batch.sizeBytes());
    }

    /** Lets the cursors follow the stream while there is nothing to hand out: to where all that came before is acked. */
    @GuardedBy("lock") private void followStream() {
        cursors.saveAll(store::takeCursor);
    }

    /**
     * Else a restart, after a long time without a client, would begin where the source has no binlog any more, though nothing came for one. Also checks the
     * gets that wait again: this server may own the destination again after it did not for a while, without any change of the store.
     */
    void follow() {
        isFollowedLater.set(false);
        lock.lock();
        try {
            if (!closed && mayDeliver.getAsBoolean()) {
                followStream();
                storeChanged();
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
            movesAll = true;
        } finally {
            lock.unlock();
        }
    }

    /** Logs the first of the failures that follow each other: there may be one in each second. */
    private void notFollowed(Throwable cause) {
        if (isFollowedLater.compareAndSet(false, true)) {
            LOG.warn(
                    "the cursors follow the stream later, since no worker takes it: instance={} cause={}",
                    destination,
                    String.valueOf(cause));
        }
    }

    private void cancel(WaitingGet get) {
        lock.lock();
        try {
            waiting.remove(get);
        } finally {
            lock.unlock();
        }
    }

    private void timeOut(WaitingGet get) {
        PulledBatch batch;
        try {
            batch = takeLast(get);
        } catch (RuntimeException | Error e) { // it is not among those that wait any more, so it has no other answer
            get.answer.failed(new PullException("destination:%s the get of client %d failed: %s"
                    .formatted(destination, get.request.clientId(), e)));
            throw e;
        }
        if (batch != null) {
            get.answer.batch(batch);
        }
    }

    /** What a get whose wait is over is answered with; null if it does not wait any more. */
    private @Nullable PulledBatch takeLast(WaitingGet get) {
        lock.lock();
        try {
            if (!waiting.remove(get)) {
                return null;
            }
            PulledBatch batch = take(get.request, true, get.answer);
            return batch == null ? PulledBatch.NOTHING : batch;
        } catch (StoreClosedException e) {
            return PulledBatch.NOTHING;
        } finally {
            lock.unlock();
        }
    }

    /** Called under the store's lock, mostly by the parser. */
    @SuppressWarnings("GuardedBy") // any() needs no lock
    private void storeChanged() {
        if (waiting.any() && serving.compareAndSet(false, true)) {
            workers.execute(this::serve);
        }
    }

    private void serve() {
        serving.set(false); // first: what changes from here on is checked again
        List<Runnable> answers = new ArrayList<>();
        lock.lock();
        try {
            for (WaitingGet get : waiting.all()) {
                PulledBatch batch = take(get.request, false, get.answer);
                if (batch != null) {
                    waiting.remove(get);
                    answers.add(() -> get.answer.batch(batch));
                }
            }
        } catch (StoreClosedException e) {
            answers.addAll(endWaiting());
        } finally {
            lock.unlock();
            runAll(answers); // in any case: what was taken for them is not handed out again
        }
    }

    /** States that a batch has left the process, or never will: its bytes take no memory any more. */
    public void sent(PulledBatch batch) {
        lock.lock();
        try {
            boolean wasFull = unsentBytes > maxUnsentBytes;
            unsentBytes -= batch.sizeBytes();
            if (wasFull) {
                storeChanged();
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
            requireOpen();
            requireSubscribed(clientId);
            open.requireOldest(clientId, batchId, "ack");
            open.ackOldest(clientId);
            OpenBatches.Released released = open.takeAcked();
            if (released != null) {
                store.ack(released.newest());
                if (movesAll) {
                    cursors.saveAll(store::takeCursor);
                } else {
                    cursors.save(released.clients(), store::takeCursor);
                }
            }
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
        List<WaitingGet> stale;
        lock.lock();
        try {
            requireOpen();
            stale = waiting.removeOf(clientId);
            giveBack(clientId);
        } finally {
            lock.unlock();
        }
        answerByNothing(stale);
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
            requireOpen();
            if (isSubscribed(clientId)) {
                open.requireOldest(clientId, batchId, "rollback");
                giveBack(clientId);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Has what a client that is subscribed no more holds, or has given back, handed out to any other. */
    @GuardedBy("lock") private void leave(int clientId) {
        giveBack(clientId);
        storeChanged(); // what it has given back before may be for others now
    }

    /**
     * Has what a client holds handed out again. While no other batch is held, or was acked and waits for an older one, the store does that, which cuts
     * other batches then.
     */
    @GuardedBy("lock") private void giveBack(int clientId) {
        if (!open.giveBack(clientId)) {
            return;
        }
        if (open.forgetReturned()) {
            store.rollback();
        } else {
            storeChanged();
        }
    }

    private boolean isSubscribed(int clientId) {
        return cursors.subscription(clientId).isPresent();
    }

    @GuardedBy("lock") private void requireSubscribed(int clientId) {
        if (!isSubscribed(clientId)) {
            throw new PullException(Rejection.notSubscribed(destination, clientId));
        }
    }

    @GuardedBy("lock") private void requireRoom(int clientId) {
        if (!isSubscribed(clientId) && cursors.subscriptions().size() >= maxSubscriptions) {
            throw new PullException(("destination:%s has %d clients, and canal.tcp.max.subscriptions allows no more:"
                            + " unsubscribe those that do not come back, or raise it")
                    .formatted(destination, cursors.subscriptions().size()));
        }
    }

    @GuardedBy("lock") private void requireOpen() {
        if (closed || !mayDeliver.getAsBoolean()) {
            throw notStarted(destination);
        }
    }

    /** What a client hears of a destination that does not run, or that there is none of. */
    public static PullException notStarted(String destination) {
        return new PullException("destination:" + destination + " should start first");
    }

    /** Ends every wait by an error, and takes no more. Closing twice does nothing. */
    @Override
    public void close() {
        List<Runnable> answers;
        lock.lock();
        try {
            closed = true;
            if (following != null) {
                following.cancel(false);
            }
            answers = endWaiting();
        } finally {
            lock.unlock();
        }
        runAll(answers);
    }

    @GuardedBy("lock") private List<Runnable> endWaiting() {
        List<Runnable> answers = new ArrayList<>();
        for (WaitingGet get : waiting.removeAll()) {
            answers.add(() -> get.answer.failed(notStarted(destination)));
        }
        return answers;
    }

    private static void answerByNothing(List<WaitingGet> gets) {
        runAll(gets.stream()
                .map(get -> (Runnable) () -> get.answer.batch(PulledBatch.NOTHING))
                .toList());
    }

    private static void runAll(List<Runnable> answers) {
        runAll(answers.iterator());
    }

    /** Runs all, also those after one that fails: no other thread would. */
    private static void runAll(Iterator<Runnable> answers) {
        try {
            while (answers.hasNext()) {
                answers.next().run();
            }
        } finally {
            if (answers.hasNext()) {
                runAll(answers);
            }
        }
    }
}
