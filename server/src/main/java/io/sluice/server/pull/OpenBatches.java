package io.sluice.server.pull;

import io.sluice.store.ring.Batch;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The batches that were handed out and are not acked, in the order of the store, and each client's own numbers for them.
 *
 * <p>Clients of one destination share the store, so the store is acked only up to the oldest batch that anybody holds. For
 * one thread at a time.
 */
final class OpenBatches {
    private final ArrayDeque<Open> inStoreOrder = new ArrayDeque<>();
    private final BatchNumbers numbers;

    private static final class Open {
        private final int clientId;
        private final long id;
        private final Batch batch;
        private boolean acked;

        Open(int clientId, long id, Batch batch) {
            this.clientId = clientId;
            this.id = id;
            this.batch = batch;
        }
    }

    /** Has none; those that are added get these numbers. */
    OpenBatches(BatchNumbers numbers) {
        this.numbers = numbers;
    }

    /** Adds what a client was handed, and returns the client's number of it. */
    long add(int clientId, Batch batch) {
        long id = numbers.next(clientId);
        inStoreOrder.add(new Open(clientId, id, batch));
        return id;
    }

    /** Whether a client holds anything. */
    boolean holdsAny(int clientId) {
        return oldestOf(clientId) != null;
    }

    /** Whether a client holds this batch, and no older one. */
    void requireOldest(int clientId, long id, String verb) {
        Open oldest = oldestOf(clientId);
        boolean isOpen =
                inStoreOrder.stream().anyMatch(open -> open.clientId == clientId && open.id == id && !open.acked);
        if (oldest == null || !isOpen) {
            throw new PullException("%s error%s, clientId:%d batchId:%d is not exist , please check"
                    .formatted(verb, verb.equals("ack") ? " " : "", clientId, id));
        }
        if (oldest.id != id) {
            throw new PullException("batchId:%d is not the firstly:%d".formatted(id, oldest.id));
        }
    }

    private @Nullable Open oldestOf(int clientId) {
        for (Open open : inStoreOrder) {
            if (open.clientId == clientId && !open.acked) {
                return open;
            }
        }
        return null;
    }

    /** Marks a client's oldest batch as acked. */
    void ackOldest(int clientId) {
        Open oldest = oldestOf(clientId);
        if (oldest == null) {
            throw new IllegalStateException("client " + clientId + " holds no batch");
        }
        oldest.acked = true;
    }

    /**
     * Batches that may be acked to the store.
     *
     * @param newest the newest of them
     * @param clients the clients that held them
     */
    record Released(Batch newest, Set<Integer> clients) {}

    /** Removes the acked batches that no open one precedes; null if there is none. */
    @Nullable Released takeAcked() {
        Batch newest = null;
        Set<Integer> clients = new HashSet<>();
        for (Iterator<Open> all = inStoreOrder.iterator(); all.hasNext(); ) {
            Open open = all.next();
            if (!open.acked) {
                break;
            }
            newest = open.batch;
            clients.add(open.clientId);
            all.remove();
        }
        return newest == null ? null : new Released(newest, clients);
    }

    /** Forgets all batches of all clients. */
    void clear() {
        inStoreOrder.clear();
    }
}
