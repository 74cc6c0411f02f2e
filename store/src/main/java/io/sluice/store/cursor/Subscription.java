package io.sluice.store.cursor;

import io.sluice.protocol.position.Cursor;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A client of a destination, and how far it has acked.
 *
 * @param clientId canal's number for it, such as {@link #QUEUE_CLIENT}
 * @param filter the pattern of tables that it asked for when it subscribed; empty if it named none, or only blanks
 * @param cursor the newest position that it acked; null until it has acked one
 * @param filterOrder that of a newer filter is larger; 0 if there is no filter, or if canal has written it, which keeps no order
 * @param unsubscribed whether it has left, and is kept for its cursor only: see {@link Subscriptions#kept}
 */
public record Subscription(
        int clientId, String filter, @Nullable Cursor cursor, long filterOrder, boolean unsubscribed) {
    /** The client as which canal's queue sender, and every default TCP client, keeps its cursor. */
    public static final int QUEUE_CLIENT = 1001;

    /**
     * Begins with the filter of the newest subscription. A filter without an order is newer than those with one: canal has written it
     * after them. Of several the one of the largest client id is first.
     */
    public static final Comparator<Subscription> NEWEST_FILTER_FIRST = Comparator.comparingLong(
                    (Subscription client) -> client.filterOrder == 0 ? Long.MAX_VALUE : client.filterOrder)
            .thenComparingInt(Subscription::clientId)
            .reversed();

    public Subscription {
        Objects.requireNonNull(filter, "filter");
        if (filter.isBlank()) { // as a pattern it would match no table at all
            filter = "";
            filterOrder = 0;
        }
    }

    /** A client that is subscribed. */
    public Subscription(int clientId, String filter, @Nullable Cursor cursor, long filterOrder) {
        this(clientId, filter, cursor, filterOrder, false);
    }

    /** A client that is subscribed, and whose filter, if it has one, has no order. */
    public Subscription(int clientId, String filter, @Nullable Cursor cursor) {
        this(clientId, filter, cursor, 0);
    }

    /** The same with another filter. */
    public Subscription withFilter(String newFilter, long newOrder) {
        return new Subscription(clientId, newFilter, cursor, newOrder, unsubscribed);
    }

    /** The same as one that has left, or has not. */
    public Subscription withUnsubscribed(boolean hasLeft) {
        return new Subscription(clientId, filter, cursor, filterOrder, hasLeft);
    }

    /** Returns a copy with the given cursor if its own one is at or after it, else this; of two servers' cursors that of the older event is before. */
    Subscription notAfter(Cursor limit) {
        return cursor != null && cursor.timestampMillis() >= limit.timestampMillis() ? withCursor(limit) : this;
    }

    /** Returns a copy with the given cursor; null for none. */
    public Subscription withCursor(@Nullable Cursor newCursor) {
        return new Subscription(clientId, filter, newCursor, filterOrder, unsubscribed);
    }
}
