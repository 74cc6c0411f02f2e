package io.sluice.server.cursor;

import io.sluice.protocol.position.Cursor;
import io.sluice.store.cursor.Subscription;
import io.sluice.stream.source.search.SmallestCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where an instance starts with its clients: they share one stream, so all get what one of them lacks. */
final class NextStart {
    private NextStart() {}

    /** The cursor at which it starts; null if no client has one. A client that has left counts only if no other has a cursor. */
    static @Nullable Cursor of(List<Subscription> clients) {
        return SmallestCursor.of(counting(clients));
    }

    private static List<Subscription> counting(List<Subscription> clients) {
        boolean hasOwnCursor = clients.stream().anyMatch(client -> !client.unsubscribed() && client.cursor() != null);
        return hasOwnCursor
                ? clients.stream().filter(client -> !client.unsubscribed()).toList()
                : clients;
    }

    /** Where it starts as a sentence for people. */
    static String text(List<Subscription> clients) {
        return "the next start is at the smallest of: " + CursorText.ofAll(counting(clients));
    }
}
