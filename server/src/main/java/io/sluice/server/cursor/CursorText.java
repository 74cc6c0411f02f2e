package io.sluice.server.cursor;

import io.sluice.protocol.position.EntryPosition;
import io.sluice.protocol.position.LogPosition;
import io.sluice.store.cursor.Subscription;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Cursors as people read them. */
final class CursorText {
    private CursorText() {}

    static String of(@Nullable LogPosition cursor) {
        if (cursor == null) {
            return "no cursor";
        }
        EntryPosition position = cursor.position();
        return "%s%s of %s:%d%s"
                .formatted(
                        position.journalName().isEmpty()
                                ? "somewhere"
                                : position.journalName() + ":" + position.position(),
                        position.timestamp() > 0 ? ", written " + Instant.ofEpochMilli(position.timestamp()) : "",
                        cursor.sourceHost(),
                        cursor.sourcePort(),
                        position.gtid().isEmpty() ? "" : ", behind " + position.gtid());
    }

    static String ofAll(List<Subscription> clients) {
        return clients.isEmpty()
                ? "no client"
                : clients.stream()
                        .map(client -> "client %d: %s".formatted(client.clientId(), of(client.cursor())))
                        .collect(Collectors.joining("; "));
    }
}
