package io.sluice.store.cursor;

import io.sluice.protocol.position.Cursor;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The cursors of one destination as acks move them. Changes are taken at once, and written later. Thread-safe. */
public interface AckedCursors {
    /** Replaces the cursor of a client by one that does not depend on where the stream is. */
    default void save(int clientId, Cursor cursor) {
        save(Set.of(clientId), () -> cursor);
    }

    /**
     * Replaces the cursors of clients by the newest one. Of a client that has not subscribed it is not kept: its last ack came too late.
     *
     * @param newest is asked for it once, while no cursor changes, so what it gave before the stream {@linkplain StreamCursors#goBack goes back} is not saved
     *     after that. The cursors stay if it gives null. It must be quick, and must not use this store
     */
    void save(Set<Integer> clientIds, Supplier<? extends @Nullable Cursor> newest);

    /**
     * Replaces the cursors of all clients that are {@linkplain Subscriptions#kept kept} by the newest one: everything before it is acked, or was not for any
     * of them.
     *
     * @param newest as of {@link #save(Set, Supplier)}
     */
    void saveAll(Supplier<? extends @Nullable Cursor> newest);
}
