package io.sluice.store.cursor;

import io.sluice.protocol.position.Cursor;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A client of a destination, and how far it has acked.
 *
 * @param clientId canal's number for it, such as {@link CursorStore#QUEUE_CLIENT}
 * @param filter the pattern of tables that it asked for when it subscribed; empty if it named none
 * @param cursor the newest position that it acked; null until it has acked one
 */
public record Subscription(
        int clientId, String filter, @Nullable Cursor cursor) {
    public Subscription {
        Objects.requireNonNull(filter, "filter");
    }

    Subscription withFilter(String newFilter) {
        return new Subscription(clientId, newFilter, cursor);
    }

    Subscription withCursor(Cursor newCursor) {
        return new Subscription(clientId, filter, newCursor);
    }
}
