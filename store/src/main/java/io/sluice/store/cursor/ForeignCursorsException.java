package io.sluice.store.cursor;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Clients that were read are those of another destination, as after an instance was renamed with the folder of its cursor file. It has the cursors, if they can be read. */
public final class ForeignCursorsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<Subscription> clients;

    ForeignCursorsException(String message, List<Subscription> clients) {
        super(message);
        this.clients = List.copyOf(clients);
    }

    /**
     * The commands by which a destination continues at these cursors, and what has to be considered; empty if there are none. A client that has
     * unsubscribed is left out unless no other one has a cursor: it would be subscribed by a command, and the others would wait for it.
     */
    public String commands(String destination) {
        List<Subscription> all =
                clients.stream().filter(ForeignCursorsException::hasPosition).toList();
        List<Subscription> subscribed =
                all.stream().filter(client -> !client.unsubscribed()).toList();
        List<Subscription> kept = subscribed.isEmpty() ? all : subscribed;
        if (kept.isEmpty()) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        parts.add(kept.stream().map(client -> command(destination, client)).collect(Collectors.joining(" && ")));
        kept.stream()
                .map(Subscription::cursor)
                .filter(Objects::nonNull)
                .map(ForeignCursorsException::binlog)
                .distinct()
                .forEach(parts::add);
        for (Subscription client : clients) {
            addNotes(client, destination, kept.contains(client), parts);
        }
        return String.join("; ", parts);
    }

    private static void addNotes(Subscription client, String destination, boolean isKept, List<String> notes) {
        if (client.unsubscribed() && !isKept) {
            notes.add("client %d had unsubscribed, and is left out".formatted(client.clientId()));
            return;
        }
        if (client.unsubscribed()) {
            notes.add(
                    "client %1$d had unsubscribed, and is subscribed by the command: if it does not return, remove it when another client has a cursor: bin/sluice.sh cursor delete %2$s --client %1$d --restart"
                            .formatted(client.clientId(), destination));
        }
        if (!client.filter().isEmpty()) {
            notes.add("the filter of client %d is not kept, and is in force again when it subscribes with it: %s"
                    .formatted(client.clientId(), client.filter()));
        }
    }

    private static boolean hasPosition(Subscription client) {
        Cursor cursor = client.cursor();
        return cursor != null
                && (!cursor.gtidSet().isEmpty() || cursor.position().isKnown());
    }

    private static String command(String destination, Subscription client) {
        String number = client.clientId() == Subscription.QUEUE_CLIENT ? "" : " --client " + client.clientId();
        return "bin/sluice.sh cursor set %s%s %s".formatted(destination, number, target(client.cursor()));
    }

    private static String target(@Nullable Cursor cursor) {
        if (cursor == null) {
            return "";
        }
        return isAfterGtids(cursor) ? "--gtid '%s'".formatted(cursor.gtidSet()) : at(cursor.position());
    }

    /** GTIDs first: an instance may have read another of its hosts than the one at which the command looks, and there they may mean the same. */
    private static boolean isAfterGtids(Cursor cursor) {
        return !cursor.gtidSet().isEmpty()
                && !(cursor.source().hasGtidsOfItsOwn() && cursor.position().isKnown());
    }

    private static String at(BinlogPosition position) {
        return "--to %s:%d".formatted(position.file(), position.offset());
    }

    /** Where the cursor is, and what to do if the command does not look there. */
    private static String binlog(Cursor cursor) {
        SourceServer source = cursor.source();
        String server = "%s:%d%s%s"
                .formatted(
                        source.host().isEmpty() ? "an unknown host" : source.host(),
                        source.port(),
                        source.identity().isEmpty() ? "" : " (%s)".formatted(source.identity()),
                        cursor.timestampMillis() == 0
                                ? ""
                                : ", read until " + Instant.ofEpochMilli(cursor.timestampMillis()));
        if (isAfterGtids(cursor)) {
            return "these are of %s, and are looked for at the first host of the instance: if that cannot be asked, or has not executed all of it, name the server that has first in the configuration%s"
                    .formatted(
                            server,
                            cursor.position().isKnown()
                                    ? "; on %s it is also %s".formatted(source.host(), at(cursor.position()))
                                    : "");
        }
        return "that is a position in the binlog of %s, and is looked for at the first host of the instance: if that is another server now, use --time instead, with a time some minutes before the newest event that was read"
                .formatted(server);
    }
}
