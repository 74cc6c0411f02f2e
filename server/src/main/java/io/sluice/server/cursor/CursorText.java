package io.sluice.server.cursor;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.cursor.Subscription;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats cursors for output. */
final class CursorText {
    private CursorText() {}

    static String of(@Nullable Cursor cursor) {
        if (cursor == null) {
            return "no cursor";
        }
        BinlogPosition position = cursor.position();
        return "%s%s of %s:%d%s"
                .formatted(
                        position.isKnown() ? position : "somewhere",
                        cursor.timestampMillis() > 0
                                ? ", written " + Instant.ofEpochMilli(cursor.timestampMillis())
                                : "",
                        cursor.sourceHost(),
                        cursor.sourcePort(),
                        cursor.gtidSet().isEmpty() ? "" : ", after " + cursor.gtidSet());
    }

    static String ofAll(List<Subscription> clients) {
        return clients.isEmpty()
                ? "no client"
                : clients.stream()
                        .map(client -> "client %d: %s".formatted(client.clientId(), of(client.cursor())))
                        .collect(Collectors.joining("; "));
    }
}
