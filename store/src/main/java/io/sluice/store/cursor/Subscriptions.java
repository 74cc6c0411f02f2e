package io.sluice.store.cursor;

import io.sluice.protocol.position.Cursor;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The clients of one destination, and what they have subscribed. Changes are taken at once, and written later. Thread-safe. */
public interface Subscriptions {
    /** All clients that are subscribed, in the order of their ids. */
    List<Subscription> subscriptions();

    /**
     * What a start begins with: all clients; and while none of them has a cursor, the last one that had, although it has
     * {@linkplain Subscription#unsubscribed left}. In the order of their ids.
     */
    List<Subscription> kept();

    /** A client; empty if it has not subscribed. */
    default Optional<Subscription> subscription(int clientId) {
        return subscriptions().stream()
                .filter(subscription -> subscription.clientId() == clientId)
                .findFirst();
    }

    /**
     * Adds a client, or replaces the filter of one that is there; its cursor stays. The filter is the {@linkplain
     * Subscription#NEWEST_FILTER_FIRST newest} of all clients then.
     *
     * @param filter the pattern of its tables; empty or blanks for none
     */
    void subscribe(int clientId, String filter);

    /** Adds a client. An existing client is not changed; a client that has left but is still {@linkplain #kept kept} becomes subscribed again. */
    void subscribe(int clientId);

    /**
     * Removes a client with its cursor, if there is such a client. If no other one has a cursor, it is {@linkplain #kept kept} until one
     * has: the next start begins at its cursor, and so does the client if it subscribes again, so that changes made meanwhile are not skipped.
     */
    void unsubscribe(int clientId);

    /**
     * Takes back that a client was subscribed or unsubscribed, which could not be written: it is subscribed or not, and has the filter, as before, and
     * one that was {@linkplain #kept kept} although it had left is so again if no client has a cursor. A cursor that was saved meanwhile stays, and so do all
     * other clients.
     *
     * @param before the clients as they were {@linkplain #kept kept} before that
     */
    void takeBack(int clientId, List<Subscription> before);

    /** The newest cursor of a client; null if the stream has not begun since it subscribed, or it has not subscribed. */
    default @Nullable Cursor load(int clientId) {
        return subscription(clientId).map(Subscription::cursor).orElse(null);
    }
}
