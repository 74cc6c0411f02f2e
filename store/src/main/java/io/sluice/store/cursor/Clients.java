package io.sluice.store.cursor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.position.Cursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The clients of one destination, in memory. Thread-safe. */
public final class Clients {
    @GuardedBy("this") private final SortedMap<Integer, Subscription> byId = new TreeMap<>();

    /** The client that was the last one to leave, until another one has a cursor: without it the next start would skip changes. */
    @GuardedBy("this") private @Nullable Subscription lastToLeave;

    /** Begins with what was {@linkplain #kept kept}: of several that have left, with one at most. */
    public Clients(List<Subscription> first) {
        replaceAll(first);
    }

    /** All of them as they are now, in the order of their ids. */
    synchronized List<Subscription> all() {
        return List.copyOf(byId.values());
    }

    /** What is to be kept of them for the next start: all, or the last one if it has left, in the order of their ids. */
    public synchronized List<Subscription> kept() {
        Subscription left = lastToLeave;
        if (left == null) {
            return all();
        }
        SortedMap<Integer, Subscription> kept = new TreeMap<>(byId);
        kept.put(left.clientId(), left);
        return new ArrayList<>(kept.values());
    }

    synchronized void subscribe(int clientId, String filter) {
        long order = filter.isBlank() ? 0 : orderOf(clientId, filter);
        if (change(clientId, known -> known.withFilter(filter, order))) {
            return;
        }
        Subscription left = takeKept(clientId);
        byId.put(
                clientId,
                left == null ? new Subscription(clientId, filter, null, order) : left.withFilter(filter, order));
    }

    synchronized void subscribe(int clientId) {
        if (!byId.containsKey(clientId)) {
            Subscription left = takeKept(clientId);
            byId.put(clientId, left == null ? new Subscription(clientId, "", null) : left);
        }
    }

    /** The client that was the last one to leave, which is back; null if it is another one. */
    @GuardedBy("this") private @Nullable Subscription takeKept(int clientId) {
        Subscription left = lastToLeave;
        if (left == null || left.clientId() != clientId) {
            return null;
        }
        lastToLeave = null;
        return left.withUnsubscribed(false);
    }

    /** The order of a filter that is the newest from now on; the others have an order, too, then. */
    @GuardedBy("this") private long orderOf(int clientId, String filter) {
        giveOrders(List.copyOf(byId.values()));
        Subscription left = lastToLeave;
        if (left != null && left.filterOrder() == 0) { // one that canal has written, which is older than this one
            lastToLeave = left.withFilter(left.filter(), newestOrder() + 1);
        }
        long newest = newestOrder();
        Subscription known = byId.get(clientId);
        boolean isNewest = known != null && known.filter().equals(filter) && known.filterOrder() == newest;
        return isNewest ? newest : newest + 1;
    }

    /** The largest order, also that of a client that has left: it has its filter again if it comes back. */
    @GuardedBy("this") private long newestOrder() {
        return kept().stream().mapToLong(Subscription::filterOrder).max().orElse(0);
    }

    /** Gives an order to the filters without one: that which they have among those of clients as they are, or were, subscribed. */
    @GuardedBy("this") private void giveOrders(List<Subscription> subscribed) {
        List<Subscription> oldestFirst = subscribed.stream()
                .filter(client -> !client.unsubscribed() && !client.filter().isEmpty())
                .sorted(Subscription.NEWEST_FILTER_FIRST.reversed())
                .toList();
        long newest = 0;
        for (Subscription client : oldestFirst) {
            newest = client.filterOrder() == 0 ? newest + 1 : client.filterOrder();
            long order = newest;
            change(
                    client.clientId(),
                    known -> known.filterOrder() == 0 ? known.withFilter(known.filter(), order) : known);
        }
    }

    synchronized void unsubscribe(int clientId) {
        Subscription left = byId.remove(clientId);
        if (left != null && left.cursor() != null && !hasCursors()) {
            lastToLeave = left.withUnsubscribed(true);
        }
    }

    synchronized void takeBack(int clientId, List<Subscription> before) {
        Subscription left = lastToLeave;
        boolean isKept = left != null && left.clientId() == clientId;
        Subscription now = isKept ? left : byId.get(clientId);
        byId.remove(clientId);
        lastToLeave = isKept ? null : left;
        Cursor newest = now == null ? null : now.cursor();
        for (Subscription client : before) {
            boolean isIt = client.clientId() == clientId;
            Subscription former = isIt && newest != null ? client.withCursor(newest) : client;
            if (isIt && !client.unsubscribed()) {
                byId.put(clientId, former);
            }
            if (client.unsubscribed() && lastToLeave == null && !byId.containsKey(client.clientId()) && !hasCursors()) {
                lastToLeave = former;
            }
        }
        giveOrders(before); // the change that is taken back may have given them to the others
    }

    @GuardedBy("this") private boolean hasCursors() {
        return byId.values().stream().anyMatch(client -> client.cursor() != null);
    }

    synchronized void replaceAll(List<Subscription> all) {
        byId.clear();
        lastToLeave = null;
        for (Subscription client : all) {
            if (!client.unsubscribed()) {
                byId.put(client.clientId(), client);
            }
        }
        for (Subscription client : all) {
            if (client.unsubscribed()
                    && client.cursor() != null
                    && !byId.containsKey(client.clientId())
                    && !hasCursors()) {
                lastToLeave = client;
            }
        }
    }

    /** Saves a cursor that is taken under the monitor: one that was taken before could be saved after all went back. */
    synchronized void save(Set<Integer> clientIds, Supplier<? extends @Nullable Cursor> newest) {
        Cursor cursor = newest.get();
        if (cursor == null) {
            return;
        }
        for (int clientId : clientIds) {
            if (change(clientId, known -> known.withCursor(cursor))) {
                lastToLeave = null;
            }
        }
    }

    synchronized void saveAll(Supplier<? extends @Nullable Cursor> newest) {
        Cursor cursor = newest.get();
        if (cursor == null) {
            return;
        }
        byId.replaceAll((id, client) -> client.withCursor(cursor));
        Subscription left = lastToLeave;
        lastToLeave = left == null || hasCursors() ? null : left.withCursor(cursor);
    }

    /** Gives a cursor to all clients that have none; returns whether there is one. */
    synchronized boolean begin(Supplier<? extends @Nullable Cursor> newest) {
        Cursor first = newest.get();
        if (first == null) {
            return false;
        }
        byId.replaceAll((id, client) -> client.cursor() == null ? client.withCursor(first) : client);
        if (hasCursors()) {
            lastToLeave = null;
        }
        return true;
    }

    /** Replaces the cursors that are at or after one. */
    synchronized void goBack(Cursor to) {
        byId.replaceAll((id, client) -> client.notAfter(to));
        Subscription left = lastToLeave;
        lastToLeave = left == null ? null : left.notAfter(to);
    }

    @GuardedBy("this") private boolean change(int clientId, UnaryOperator<Subscription> how) {
        return byId.computeIfPresent(clientId, (id, known) -> how.apply(known)) != null;
    }
}
