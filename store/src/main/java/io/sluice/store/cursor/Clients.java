package io.sluice.store.cursor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.position.Cursor;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The clients of one destination, in memory. Safe for use by several threads. */
final class Clients {
    @GuardedBy("this") private final SortedMap<Integer, Subscription> byId = new TreeMap<>();

    Clients() {}

    Clients(List<Subscription> first) {
        first.forEach(subscription -> byId.put(subscription.clientId(), subscription));
    }

    /** All of them as they are now, in the order of their ids. */
    synchronized List<Subscription> all() {
        return List.copyOf(byId.values());
    }

    synchronized void subscribe(int clientId, String filter) {
        if (!change(clientId, known -> known.withFilter(filter))) {
            byId.put(clientId, new Subscription(clientId, filter, null));
        }
    }

    synchronized void unsubscribe(int clientId) {
        byId.remove(clientId);
    }

    synchronized void replaceAll(List<Subscription> all) {
        byId.clear();
        all.forEach(subscription -> byId.put(subscription.clientId(), subscription));
    }

    synchronized void save(int clientId, Cursor cursor) {
        change(clientId, known -> known.withCursor(cursor));
    }

    @GuardedBy("this") private boolean change(int clientId, UnaryOperator<Subscription> how) {
        return byId.computeIfPresent(clientId, (id, known) -> how.apply(known)) != null;
    }
}
