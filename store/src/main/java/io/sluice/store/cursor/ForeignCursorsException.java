package io.sluice.store.cursor;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A cursor file is that of another destination, as after an instance was renamed with its folder. It has the cursors, if they can be read. */
final class ForeignCursorsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<Subscription> clients;

    ForeignCursorsException(String message, List<Subscription> clients) {
        super(message);
        this.clients = List.copyOf(clients);
    }

    /** The commands by which a destination continues at these cursors; empty if there are none. */
    String commands(String destination) {
        return clients.stream()
                .map(client -> command(destination, client))
                .filter(command -> !command.isEmpty())
                .collect(Collectors.joining(" && "));
    }

    private static String command(String destination, Subscription client) {
        String target = target(client.cursor());
        String number = client.clientId() == CursorStore.QUEUE_CLIENT ? "" : " --client " + client.clientId();
        return target.isEmpty() ? "" : "bin/sluice.sh cursor set %s%s %s".formatted(destination, number, target);
    }

    private static String target(@Nullable Cursor cursor) {
        if (cursor == null) {
            return "";
        }
        BinlogPosition position = cursor.position();
        if (position.isKnown()) {
            return "--to %s:%d".formatted(position.file(), position.offset());
        }
        return cursor.gtidSet().isEmpty() ? "" : "--gtid '%s'".formatted(cursor.gtidSet());
    }
}
