package io.sluice.store.cursor;

import io.sluice.protocol.position.Cursor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the subscriptions of one destination, and the cursor of each. Thread-safe.
 *
 * <p>Changes are taken at once, and a store that writes to somewhere does so later, the newest state only. A crash may lose
 * the newest changes, never more: entries after an older cursor are delivered again.
 */
public interface CursorStore extends AutoCloseable {
    /** The client as which canal's queue sender, and every default TCP client, keeps its cursor. */
    int QUEUE_CLIENT = 1001;

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

    /**
     * Replaces all clients at once: what is written meanwhile, by whatever thread, has all of the former ones or all of these.
     *
     * @param all as they were {@linkplain #kept kept}
     */
    void replaceAll(List<Subscription> all);

    /** The newest cursor of a client; null if the stream has not begun since it subscribed, or it has not subscribed. */
    default @Nullable Cursor load(int clientId) {
        return subscription(clientId).map(Subscription::cursor).orElse(null);
    }

    /** Replaces the cursor of a client by one that does not depend on where the stream is. */
    default void save(int clientId, Cursor cursor) {
        save(Set.of(clientId), () -> cursor);
    }

    /**
     * Replaces the cursors of clients by the newest one. Of a client that has not subscribed it is not kept: its last ack came too late.
     *
     * @param newest is asked for it once, while no cursor changes, so what it gave before the stream {@linkplain #goBack goes back} is not saved
     *     after that. The cursors stay if it gives null. It must be quick, and must not use this store
     */
    void save(Set<Integer> clientIds, Supplier<? extends @Nullable Cursor> newest);

    /**
     * Replaces the cursors of all clients that are {@linkplain #kept kept} by the newest one: everything before it is acked, or was not for any
     * of them.
     *
     * @param newest as of {@link #save(Set, Supplier)}
     */
    void saveAll(Supplier<? extends @Nullable Cursor> newest);

    /**
     * Gives every client that has no cursor the position where the stream begins, and writes that before it returns: from
     * then on nothing is skipped by a restart, even if nothing is ever acknowledged. A cursor that is saved meanwhile stays.
     *
     * @param first as of {@link #save(Set, Supplier)}; if it gives null, nothing is written
     * @return whether there is such a position
     * @throws CursorException if it could not be written; nothing must be read then
     */
    boolean begin(Supplier<? extends @Nullable Cursor> first);

    /**
     * Replaces the cursors of clients that are {@linkplain #kept kept} and are at or after one to which the stream goes back, and writes that
     * before it returns. What {@link #save(Set, Supplier)} and the like are asked for must not be after it any more when this is called.
     *
     * @param to of two servers' cursors, that of the older event is before the other one
     * @throws CursorException if it could not be written; nothing must be read there then
     */
    void goBack(Cursor to);

    /**
     * Writes what has changed before it returns.
     *
     * @throws CursorException if it could not be written
     */
    void flush();

    /**
     * For how long the store has not been able to write what has changed, or has not tried to although that was due; zero if all is
     * written, or is written within the usual time.
     */
    default Duration unwritten() {
        return Duration.ZERO;
    }

    /**
     * Has a listener called, once, when another process has the right to write the cursors, so that this store writes nothing any more.
     *
     * @param listener gets the reason; it must not wait, nor use this store
     */
    default void onLoss(Consumer<? super CursorException> listener) {
        // nothing can take them
    }

    /**
     * Has a listener called when the file or node of the cursors was removed or damaged by something else, and has them again: what was beside them
     * may be gone, too.
     *
     * @param listener called by the thread that writes; must not use this store
     */
    default void onRestored(Runnable listener) {
        // nothing can remove them
    }

    /**
     * Notes that the instance has failed, and waits for an operator: a file of cursors that is removed or changed from now on is left as it is, unless its
     * lock file is removed or replaced, too, as by a deployment. Must not wait.
     */
    default void leaveToOperator() {
        // changes by an operator are not distinguished from others
    }

    /** Whether the newest look, also that of the end, has left a file of cursors as an operator had removed or changed it. */
    default boolean isLeftToOperator() {
        return false;
    }

    /** Whether a store that is closed has kept cursors for which there was no file at its end, as its directory was gone, or its disk full since it was opened. */
    default boolean isLeftUnwritten() {
        return false;
    }

    /**
     * Whether an operator has changed the cursors since the place where they are was made, so that what is missing there was deleted on purpose. Asked
     * of ZooKeeper, which may have lost them.
     *
     * @throws CursorException if that cannot be read
     */
    default boolean isSetByOperator() {
        return false;
    }

    /**
     * Writes what has changed and takes no more. Closing twice does nothing.
     *
     * @throws CursorException if it could not be written; older entries are then delivered again after a restart
     */
    @Override
    void close();
}
