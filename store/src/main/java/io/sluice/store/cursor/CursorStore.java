package io.sluice.store.cursor;

import io.sluice.protocol.position.LogPosition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the clients of one destination: who has subscribed, and how far each has acked. Safe for use by several threads.
 *
 * <p>Changes are taken at once, and a store that writes to somewhere does so later, the newest state only. A crash may lose
 * the newest changes, never more: entries behind an older cursor are delivered again.
 */
public interface CursorStore extends AutoCloseable {
    /** The client as which canal's queue sender, and every default TCP client, keeps its cursor. */
    int QUEUE_CLIENT = 1001;

    /** All clients, in the order of their ids. */
    List<Subscription> subscriptions();

    /** A client; empty if it has not subscribed. */
    default Optional<Subscription> subscription(int clientId) {
        return subscriptions().stream()
                .filter(subscription -> subscription.clientId() == clientId)
                .findFirst();
    }

    /**
     * Adds a client, or replaces the filter of one that is there; its cursor stays.
     *
     * @param filter the pattern of tables that it wants; empty for none
     */
    void subscribe(int clientId, String filter);

    /** Forgets a client with its cursor, if there is such a client. */
    void unsubscribe(int clientId);

    /** The newest cursor of a client; null if it has never acked, or has not subscribed. */
    default @Nullable LogPosition load(int clientId) {
        return subscription(clientId).map(Subscription::cursor).orElse(null);
    }

    /** Replaces the cursor of a client. Of one that has not subscribed it is not kept: its last ack came too late. */
    void save(int clientId, LogPosition cursor);

    /**
     * Writes what has changed and takes no more. Closing twice does nothing.
     *
     * @throws CursorException if it could not be written; older entries are then delivered again after a restart
     */
    @Override
    void close();
}
