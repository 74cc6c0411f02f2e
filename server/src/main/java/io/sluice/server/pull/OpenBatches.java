package io.sluice.server.pull;

import io.sluice.store.ring.Batch;
import io.sluice.store.ring.BatchLimit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The batches that the store has handed out and that are not acked to it: those that clients hold, each by numbers of its own; those that were
 * acked, but wait for an older one; and those that were given back, and are handed out again: to the client that held them, or to one that has
 * not got anything that follows them, so that each client gets the changes of a row in their order.
 *
 * <p>Clients of one destination share the store, so the store is acked only up to the oldest batch that is held or was given back. What one client
 * gives back changes nothing for the others. For one thread at a time.
 */
final class OpenBatches {
    /** The batches that are held, and those that were acked, by their positions in the store. */
    private final NavigableMap<Long, Open> taken = new TreeMap<>();

    /** The batches that were given back, by their positions in the store. */
    private final NavigableMap<Long, Returned> returned = new TreeMap<>();

    /** What each client holds, by its numbers: the order in which it was handed out, which after a rollback is not that of the store. */
    private final Map<Integer, NavigableMap<Long, Open>> held = new HashMap<>();

    private final BatchNumbers numbers;

    private static final class Open {
        private final int clientId;
        private final Batch batch;
        private boolean acked;

        Open(int clientId, Batch batch) {
            this.clientId = clientId;
            this.batch = batch;
        }
    }

    private record Returned(int clientId, Batch batch) {}

    /** Has none; those that are added get these numbers. */
    OpenBatches(BatchNumbers numbers) {
        this.numbers = numbers;
    }

    /** Adds what a client was handed, and returns the client's number of it. */
    long add(int clientId, Batch batch) {
        long id = numbers.next(clientId);
        Open open = new Open(clientId, batch);
        taken.put(batch.sequence(), open);
        held.computeIfAbsent(clientId, unused -> new TreeMap<>()).put(id, open);
        return id;
    }

    /**
     * Takes out the oldest entries that were given back and may be handed out to a client, up to a limit; null if there are none. Those of another
     * client that is subscribed wait for that one if this client holds, or has acked, anything that follows them.
     */
    @Nullable Batch takeReturned(int clientId, IntPredicate isSubscribed, BatchLimit limit) {
        if (returned.isEmpty()) {
            return null;
        }
        long newest = newestOf(clientId);
        for (Map.Entry<Long, Returned> entry : returned.entrySet()) {
            int holder = entry.getValue().clientId();
            if (holder == clientId || entry.getKey() > newest || !isSubscribed.test(holder)) {
                return takeReturned(entry.getKey(), entry.getValue(), limit);
            }
        }
        return null;
    }

    private Batch takeReturned(long sequence, Returned found, BatchLimit limit) {
        returned.remove(sequence);
        List<Batch> parts = found.batch().cut(limit);
        if (parts.size() > 1) {
            Batch rest = parts.get(1);
            returned.put(rest.sequence(), new Returned(found.clientId(), rest));
        }
        return parts.get(0);
    }

    /**
     * The position of the newest batch that a client holds, or has acked while an older one was open; -1 if there is none. What was released before
     * precedes all that was given back.
     */
    private long newestOf(int clientId) {
        for (Map.Entry<Long, Open> entry : taken.descendingMap().entrySet()) {
            if (entry.getValue().clientId == clientId) {
                return entry.getKey();
            }
        }
        return -1;
    }

    /** Throws unless a client holds this batch, and no older one. */
    void requireOldest(int clientId, long id, String verb) {
        NavigableMap<Long, Open> own = held.get(clientId);
        if (own == null || !own.containsKey(id)) {
            throw new PullException("%s error%s, clientId:%d batchId:%d is not exist , please check"
                    .formatted(verb, verb.equals("ack") ? " " : "", clientId, id));
        }
        if (own.firstKey() != id) {
            throw new PullException("batchId:%d is not the firstly:%d".formatted(id, own.firstKey()));
        }
    }

    /** Marks a client's oldest batch as acked. */
    void ackOldest(int clientId) {
        NavigableMap<Long, Open> own = held.get(clientId);
        if (own == null) {
            throw new IllegalStateException("client " + clientId + " holds no batch");
        }
        own.pollFirstEntry().getValue().acked = true;
        if (own.isEmpty()) {
            held.remove(clientId);
        }
    }

    /**
     * Batches that may be acked to the store.
     *
     * @param newest the newest of them
     * @param clients the clients that held them
     */
    record Released(Batch newest, Set<Integer> clients) {}

    /** Removes the acked batches that none precedes which is held or was given back; null if there is none. */
    @Nullable Released takeAcked() {
        Batch newest = null;
        Set<Integer> clients = new HashSet<>();
        while (isOldestAcked()) {
            Open open = taken.pollFirstEntry().getValue();
            newest = open.batch;
            clients.add(open.clientId);
        }
        return newest == null ? null : new Released(newest, clients);
    }

    private boolean isOldestAcked() {
        return !taken.isEmpty()
                && taken.firstEntry().getValue().acked
                && (returned.isEmpty() || taken.firstKey() < returned.firstKey());
    }

    /** Gives back all batches that a client holds; returns whether it held any. */
    boolean giveBack(int clientId) {
        NavigableMap<Long, Open> own = held.remove(clientId);
        if (own == null) {
            return false;
        }
        for (Open open : own.values()) {
            taken.remove(open.batch.sequence());
            returned.put(open.batch.sequence(), new Returned(clientId, open.batch));
        }
        return true;
    }

    /** Removes the batches that were given back if there are no others: returns whether that is so, and the store can be rolled back. */
    boolean forgetReturned() {
        if (!taken.isEmpty()) {
            return false;
        }
        returned.clear();
        return true;
    }
}
