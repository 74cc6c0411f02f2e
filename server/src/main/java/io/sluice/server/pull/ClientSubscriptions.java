package io.sluice.server.pull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.schema.filter.IncludeList;
import io.sluice.server.pull.UnstoredChanges.UnstoredChange;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.EntryStore;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Adds and removes the clients of one instance. A change is stored before its request is answered; if that fails, it is taken back.
 *
 * <p>Thread-safe. A change is made, and taken back, under the lock of {@link PullClients}; it is stored without it, since that waits for a disk or for
 * ZooKeeper, and so are filters judged and put into force.
 */
final class ClientSubscriptions {
    private final String destination;
    private final EntryStore store;
    private final CursorStore cursors;
    private final ClientFilters filters;
    private final int maxSubscriptions;
    private final WaitingAnswers waiting;

    /** That of {@link PullClients}. */
    private final ReentrantLock lock;

    @GuardedBy("lock") private final SharedStream stream;

    @GuardedBy("lock") private final UnstoredChanges unstored = new UnstoredChanges();

    /**
     * Changes nothing yet.
     *
     * @param stream guarded by the lock
     * @param maxSubscriptions how many clients may be subscribed
     */
    ClientSubscriptions(
            String destination,
            EntryStore store,
            CursorStore cursors,
            ClientFilters filters,
            int maxSubscriptions,
            ReentrantLock lock,
            SharedStream stream,
            WaitingAnswers waiting) {
        this.destination = destination;
        this.store = store;
        this.cursors = cursors;
        this.filters = filters;
        this.maxSubscriptions = maxSubscriptions;
        this.lock = lock;
        this.stream = stream;
        this.waiting = waiting;
    }

    /** Adds a client, as {@link PullClients#subscribe} says. */
    void subscribe(int clientId, String filter) {
        IncludeList judged = filter.isBlank() ? null : filters.judged(filter); // takes a while, so without the lock
        boolean isOther = false;
        UnstoredChange change;
        lock.lock();
        try {
            stream.requireOpen();
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

    @GuardedBy("lock") private void requireRoom(int clientId) {
        if (!stream.isSubscribed(clientId) && cursors.subscriptions().size() >= maxSubscriptions) {
            throw new PullException(("destination:%s has %d clients, and canal.tcp.max.subscriptions allows no more:"
                            + " unsubscribe those that do not come back, or raise it")
                    .formatted(destination, cursors.subscriptions().size()));
        }
    }

    /** Removes a client, as {@link PullClients#unsubscribe} says. */
    void unsubscribe(int clientId) {
        Runnable answers;
        boolean wasInForce;
        UnstoredChange change;
        lock.lock();
        try {
            stream.requireOpen();
            List<Subscription> before = cursors.kept();
            answers = waiting.endOf(clientId);
            wasInForce = filters.unsubscribe(clientId);
            leave(clientId);
            change = unstored.begin(clientId, before, cursors.kept(), false);
        } finally {
            lock.unlock();
        }
        answers.run();
        if (change != null) {
            store(clientId, change);
        }
        if (wasInForce) {
            filters.restore();
        }
    }

    /** Has what a client that is subscribed no more holds, or has given back, handed out to any other. */
    @GuardedBy("lock") private void leave(int clientId) {
        stream.giveBack(clientId);
        waiting.check(); // in any case: what it has given back before may be for others now
    }

    /** Stores a change. Gives clients without a cursor that of the store; before the stream begins there is none, and it gives them its first. */
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
        Runnable answers = () -> {};
        lock.lock();
        try {
            if (unstored.failed(change)) { // else another request has stored it, or taken it back
                cursors.takeBack(clientId, change.before());
                if (!stream.isSubscribed(clientId)) {
                    answers = waiting.endOf(clientId);
                    leave(clientId);
                }
            }
        } finally {
            lock.unlock();
        }
        filters.restore(); // another request may have put one into force meanwhile, or stored the change, which this
        // one does not put into force
        answers.run();
    }
}
