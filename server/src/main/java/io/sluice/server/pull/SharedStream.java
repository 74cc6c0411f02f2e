package io.sluice.server.pull;

import io.sluice.protocol.wire.Rejection;
import io.sluice.store.cursor.Subscriptions;
import io.sluice.store.ring.Batch;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.Readiness;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The stream of entries that the clients of one instance share: batches of its store are taken for them, acked and given back, until it is closed, and
 * while this server owns the destination.
 *
 * <p>Not thread-safe: guarded by the lock of {@link PullClients}. Its methods call the store, which has a lock of its own.
 */
final class SharedStream {
    private final String destination;
    private final EntryStore store;
    private final Subscriptions subscribers;
    private final CursorFollower follower;
    private final OpenBatches open;
    private final BooleanSupplier mayDeliver;
    private final long maxUnsentBytes;

    /** Those of the batches that were taken and have not left the process. */
    private long unsentBytes;

    private boolean closed;

    /**
     * Takes over the reading of a store.
     *
     * @param mayDeliver whether this server still owns the destination; asked before anything is handed out or acked
     */
    SharedStream(
            String destination,
            EntryStore store,
            Subscriptions subscribers,
            CursorFollower follower,
            BatchNumbers numbers,
            BooleanSupplier mayDeliver) {
        this.destination = destination;
        this.store = store;
        this.subscribers = subscribers;
        this.follower = follower;
        this.open = new OpenBatches(numbers);
        this.mayDeliver = mayDeliver;
        this.maxUnsentBytes = 2 * store.stats().config().capacityBytes();
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether it is not closed, and this server owns the destination. */
    boolean isOpen() {
        return !closed && mayDeliver.getAsBoolean();
    }

    void requireOpen() {
        if (!isOpen()) {
            throw PullException.notStarted(destination);
        }
    }

    boolean isSubscribed(int clientId) {
        return subscribers.subscription(clientId).isPresent();
    }

    void requireSubscribed(int clientId) {
        if (!isSubscribed(clientId)) {
            throw new PullException(Rejection.notSubscribed(destination, clientId));
        }
    }

    /** Takes a batch for a client; null if it is worth waiting for more, and {@code atOnce} does not forbid it. */
    @Nullable PulledBatch take(PullRequest request, boolean atOnce, PullAnswer answer) {
        if (unsentBytes > maxUnsentBytes || !answer.isWanted() || !mayDeliver.getAsBoolean()) {
            return atOnce ? PulledBatch.NOTHING : null;
        }
        Batch batch = open.takeReturned(
                request.clientId(),
                this::isSubscribed,
                request.limit()); // without waiting for more: it would not become any larger
        if (batch == null) {
            batch = store.getIfReady(request.limit(), atOnce ? Readiness.ANY : Readiness.FULL);
        }
        if (batch == null) {
            follower.follow();
            return atOnce ? PulledBatch.NOTHING : null;
        }
        unsentBytes += batch.sizeBytes();
        return new PulledBatch(open.add(request.clientId(), batch), batch.entries(), batch.sizeBytes());
    }

    /** Notes that a batch takes no memory any more. Returns whether too much was unsent before that, so that nothing was taken. */
    boolean sent(PulledBatch batch) {
        boolean wasFull = unsentBytes > maxUnsentBytes;
        unsentBytes -= batch.sizeBytes();
        return wasFull;
    }

    /** Acks a client's oldest open batch, and throws if this is another one. */
    void ack(int clientId, long batchId) {
        open.requireOldest(clientId, batchId, "ack");
        open.ackOldest(clientId);
        OpenBatches.Released released = open.takeAcked();
        if (released != null) {
            store.ack(released.newest());
            follower.acked(released.clients());
        }
    }

    /** Throws unless a batch is a client's oldest open one, from which it rolls back. */
    void requireOldest(int clientId, long batchId) {
        open.requireOldest(clientId, batchId, "rollback");
    }

    /**
     * Has what a client holds handed out again. While no other batch is held, or was acked and waits for an older one, the store does that, which cuts
     * other batches then, and reports the change.
     *
     * @return whether there may be something for gets that wait, without any change of the store
     */
    boolean giveBack(int clientId) {
        if (!open.giveBack(clientId)) {
            return false;
        }
        if (open.forgetReturned()) {
            store.rollback();
            return false;
        }
        return true;
    }

    /** Nothing is handed out or acked any more. */
    void close() {
        closed = true;
    }
}
