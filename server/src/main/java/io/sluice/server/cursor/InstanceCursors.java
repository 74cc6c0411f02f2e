package io.sluice.server.cursor;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.store.cursor.CursorEditor;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.ReadableClients;
import io.sluice.store.cursor.Subscription;
import io.sluice.stream.source.search.BinlogBoundaries;
import io.sluice.stream.source.search.BinlogBoundaries.Distance;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The cursors of one instance, for an operator. Its answers are lines for people. For one thread.
 *
 * <p>Nothing is changed while an instance runs, which would write its own cursor over it. What was there before the last
 * change is kept, so that the change can be taken back.
 */
public final class InstanceCursors {
    private final InstanceConfig config;
    private final CursorEditor editor;
    private final Optional<String> runner;

    /**
     * Makes them.
     *
     * @param editor edits the cursors where the instance keeps them
     * @param runner the server that runs the instance now, for a message; empty if none is known to
     */
    InstanceCursors(InstanceConfig config, CursorEditor editor, Optional<String> runner) {
        this.config = config;
        this.editor = editor;
        this.runner = runner;
    }

    /**
     * The clients with their cursors.
     *
     * @throws CursorRejectedException if they cannot be read
     */
    public List<Subscription> clients() throws CursorRejectedException {
        return read();
    }

    /** Where the cursors are kept, for messages. */
    public String place() {
        return editor.location();
    }

    /** Shows all clients with their cursors. */
    public List<String> show() throws CursorRejectedException {
        List<String> lines = new ArrayList<>();
        List<Subscription> clients = read();
        lines.add("%s: cursors in %s".formatted(config.destination(), editor.location()));
        for (Subscription client : clients) {
            lines.add("  client %d%s%s: %s"
                    .formatted(
                            client.clientId(),
                            client.unsubscribed() ? ", unsubscribed" : "",
                            client.filter().isEmpty() ? "" : ", filter " + client.filter(),
                            CursorText.of(client.cursor())));
        }
        if (clients.isEmpty()) {
            lines.add("  no client has subscribed");
        }
        previous()
                .ifPresent(clientsBefore -> lines.add("  before the last change: "
                        + (clientsBefore.isEmpty() ? "none" : CursorText.ofAll(clientsBefore)) + " (cursor restore)"));
        lines.add(runner.map(server -> "  running: " + server).orElse("  not running"));
        return lines;
    }

    /**
     * Moves a client's cursor, and states what that means for what is delivered.
     *
     * @param onlyBack whether a position after the cursor is rejected
     * @param dryRun whether nothing is changed
     */
    public List<String> move(int clientId, CursorTarget target, boolean onlyBack, boolean dryRun)
            throws CursorRejectedException {
        return move(clientId, target, onlyBack, dryRun, () -> false);
    }

    /**
     * Moves cursors for a caller that may give up while the position is looked for: the search ends, and nothing is changed then. Nor is
     * it if the cursors have changed meanwhile.
     *
     * @param isAbandoned whether it has, asked while the position is looked for, and before something is changed
     */
    public List<String> move(
            int clientId, CursorTarget target, boolean onlyBack, boolean dryRun, BooleanSupplier isAbandoned)
            throws CursorRejectedException {
        requireStopped(dryRun);
        ReadableClients before = readToReplace(new ArrayList<>());
        PlannedMove plan = plan(clientId, target, onlyBack, config, isAbandoned);
        if (dryRun) {
            return move(plan, true);
        }
        if (isAbandoned.getAsBoolean()) {
            throw new CursorRejectedException(
                    "the caller has closed its connection before the position was found: no cursor was changed");
        }
        if (!readToReplace(new ArrayList<>()).equals(before)) {
            throw new CursorRejectedException(
                    "the cursors of %s have changed while the position was looked for, so nothing was changed: look at them by cursor show, then repeat the command"
                            .formatted(config.destination()));
        }
        return move(plan, false);
    }

    /**
     * Finds the position for a client's cursor, which reads the binlog of the source and may take minutes. Changes nothing, so that the
     * instance may run meanwhile.
     *
     * @param onlyBack whether a position after the cursor is rejected
     * @param atStart with what the instance is started after the move, from whose source it reads then
     * @param isAbandoned whether the caller has given up, so that the search ends
     */
    public PlannedMove plan(
            int clientId, CursorTarget target, boolean onlyBack, InstanceConfig atStart, BooleanSupplier isAbandoned)
            throws CursorRejectedException {
        List<Subscription> clients = readToReplace(new ArrayList<>()).clients();
        Subscription client = find(clients, clientId).orElse(new Subscription(clientId, "", null));
        Cursor start = NextStart.of(clients);
        try (BinlogBoundaries boundaries = BinlogBoundaries.open(atStart.commandLogin(), isAbandoned)) {
            Cursor wanted = target.find(boundaries);
            if (onlyBack && clients.size() > 1) {
                // A position after its own cursor is rejected, wherever those of the others are.
                consequence(boundaries, client.cursor(), wanted, true);
            }
            Cursor next = Objects.requireNonNull(NextStart.of(with(clients, client.withCursor(wanted))));
            String consequence = clients.size() > 1 && next.equals(start)
                    ? "the next start does not change, so nothing is skipped or sent again"
                    : consequence(boundaries, start, next, onlyBack);
            Cursor now = client.cursor();
            boolean isOfBinlog = now != null && boundaries.isOfBinlog(now);
            String gap = target instanceof CursorTarget.Since since ? gap(boundaries, since.time()) : "";
            return new PlannedMove(clientId, start, wanted, isOfBinlog, consequence, gap);
        } catch (IOException | IllegalArgumentException e) {
            throw new CursorRejectedException(e);
        }
    }

    /** A server that has never purged its binlog, or has reset it, may have been changed before its oldest file was begun. */
    private static String gap(BinlogBoundaries boundaries, Instant wanted) throws IOException {
        Instant begun = Instant.ofEpochMilli(boundaries.begunMillis(""));
        return begun.isAfter(wanted)
                ? "MISSING: the binlog begins only at %s, so what was changed from %s until then is not sent, unless the server is newer; load its tables again if it is needed"
                        .formatted(begun, wanted)
                : "";
    }

    /** Moves a client's cursor as planned, without asking the source. */
    public List<String> move(PlannedMove plan) throws CursorRejectedException {
        requireStopped(false);
        return move(plan, false);
    }

    private List<String> move(PlannedMove plan, boolean dryRun) throws CursorRejectedException {
        List<String> lines = new ArrayList<>();
        ReadableClients readable = readToReplace(lines);
        List<Subscription> clients = readable.clients();
        Subscription client = find(clients, plan.clientId())
                .or(() -> find(readable.damaged(), plan.clientId()))
                .orElse(new Subscription(plan.clientId(), "", null));
        Cursor now = client.cursor();
        Cursor wanted = plan.wanted().withSchema(now == null ? null : reference(now, plan));
        lines.add("from: " + CursorText.of(now));
        lines.add("to:   " + CursorText.of(wanted));
        lines.add(
                Objects.equals(NextStart.of(clients), plan.start())
                        ? plan.consequence()
                        : "%s, counted from %s".formatted(plan.consequence(), CursorText.of(plan.start())));
        if (!plan.gap().isEmpty()) {
            lines.add(plan.gap());
        }
        List<Subscription> moved = with(clients, client.withCursor(wanted));
        Set<Integer> untouched = othersDamaged(readable, plan.clientId(), lines);
        if (untouched.isEmpty() && moved.size() > 1) {
            lines.add(NextStart.text(moved));
        }
        change(moved, untouched, dryRun, lines);
        return lines;
    }

    /**
     * What a moved cursor relies on of the schema history. That it is of another position shows, at the next start, that the cursor was moved. In
     * the binlog of another server, or after a reset, it is of none.
     */
    private static @Nullable SchemaReference reference(Cursor now, PlannedMove plan) {
        SchemaReference known = now.schema();
        boolean isSameServer =
                now.source().identity().equals(plan.wanted().source().identity());
        return known == null || isSameServer && plan.isOfBinlog()
                ? known
                : new SchemaReference(known.historyId(), known.rowId(), BinlogPosition.UNKNOWN);
    }

    /** What follows if the next start is at another cursor. */
    private static String consequence(
            BinlogBoundaries boundaries, @Nullable Cursor cursor, Cursor wanted, boolean onlyBack)
            throws CursorRejectedException {
        if (cursor == null) {
            return "there was no cursor to compare with";
        }
        Distance distance;
        try {
            distance = boundaries.between(cursor, wanted);
        } catch (IOException e) {
            return uncounted(boundaries, cursor, wanted, onlyBack, e);
        }
        if (onlyBack && !distance.backwards() && distance.bytes() > 0) {
            throw new CursorRejectedException("that is ahead of the cursor, and would skip " + amount(distance)
                    + ": use cursor set if that is meant");
        }
        if (distance.bytes() == 0) {
            return "nothing is between them";
        }
        return (distance.backwards() ? "sent again: " : "SKIPPED, never sent: ") + amount(distance);
    }

    /** The consequence of a move that cannot be counted: the source has everything after the position, and may have purged what is before. */
    private static String uncounted(
            BinlogBoundaries boundaries, Cursor cursor, Cursor wanted, boolean onlyBack, IOException cause)
            throws CursorRejectedException {
        try {
            if (!boundaries.isPurged(cursor)) {
                return "what is between cannot be determined: " + cause.getMessage();
            }
        } catch (IOException e) {
            return "what is between cannot be determined: " + e.getMessage();
        }
        String skipped = "all from %s to %s, which the source has purged, so it cannot be counted"
                .formatted(cursor.position(), wanted.position());
        if (onlyBack) {
            throw new CursorRejectedException(
                    "that is ahead of the cursor, and would skip " + skipped + ": use cursor set if that is meant");
        }
        return "SKIPPED, never sent: " + skipped + "; load the tables again";
    }

    private static String amount(Distance distance) {
        return "%d transactions with %d row events, %d bytes of binlog"
                .formatted(distance.transactions(), distance.rowEvents(), distance.bytes());
    }

    /** Removes a client with its cursor. */
    public List<String> delete(int clientId, boolean dryRun) throws CursorRejectedException {
        requireStopped(dryRun);
        List<String> lines = new ArrayList<>();
        ReadableClients readable = readToReplace(lines);
        List<Subscription> clients = readable.clients();
        Optional<Subscription> client = find(clients, clientId).or(() -> find(readable.damaged(), clientId));
        if (client.isEmpty() && !readable.isAllDamaged()) {
            throw new CursorRejectedException("there is no client " + clientId + " in " + editor.location());
        }
        client.ifPresent(
                found -> lines.add("deleted: client %d, %s".formatted(clientId, CursorText.of(found.cursor()))));
        List<Subscription> left =
                clients.stream().filter(other -> other.clientId() != clientId).toList();
        Set<Integer> untouched = othersDamaged(readable, clientId, lines);
        if (untouched.isEmpty()) {
            lines.add(left.isEmpty() ? nextStartWithoutClients() : NextStart.text(left));
        }
        change(left, untouched, dryRun, lines);
        return lines;
    }

    /** A file tells that its cursors were deleted; nodes of ZooKeeper that are not there may have been lost. */
    private String nextStartWithoutClients() {
        return config.cursor().kind() == CursorKind.ZOOKEEPER
                ? "the next start is at the configured position; without one, an instance that was read before may stop with cursor_lost: cursor set %s --to newest begins at the end of the binlog"
                        .formatted(config.destination())
                : "the next start is at the configured position, else at the end of the binlog";
    }

    /** Takes the last change back; done twice, it makes it again. */
    public List<String> restore(boolean dryRun) throws CursorRejectedException {
        requireStopped(dryRun);
        List<Subscription> before = previous()
                .orElseThrow(() -> new CursorRejectedException(
                        "nothing was changed in " + editor.location() + " that could be restored"));
        List<String> lines = new ArrayList<>();
        lines.add("from: " + CursorText.ofAll(readToReplace(lines).clients()));
        lines.add("to:   " + CursorText.ofAll(before));
        change(before, Set.of(), dryRun, lines);
        return lines;
    }

    private void requireStopped(boolean dryRun) throws CursorRejectedException {
        if (!dryRun && runner.isPresent()) {
            String how = config.cursor().kind() == CursorKind.ZOOKEEPER
                    ? "stop it first on all servers (bin/sluice.sh stop %s on each), and start it on them afterwards"
                            .formatted(config.destination())
                    : "stop it first (bin/sluice.sh stop %s), or have it restarted (--restart)"
                            .formatted(config.destination());
            throw new CursorRejectedException(
                    "%s runs %s, or has failed with it, and would write its own cursor over this one: %s"
                            .formatted(runner.get(), config.destination(), how));
        }
    }

    private void change(List<Subscription> wanted, Set<Integer> untouched, boolean dryRun, List<String> lines)
            throws CursorRejectedException {
        if (dryRun) {
            lines.add("nothing was changed: dry run");
            return;
        }
        boolean isUndoable;
        try {
            isUndoable = !editor.readable().isDamaged();
            editor.replace(wanted, untouched);
        } catch (CursorException e) {
            throw new CursorRejectedException(e);
        }
        lines.add("changed in " + editor.location() + (isUndoable ? "; cursor restore takes it back" : ""));
    }

    /** Reads the clients that a change can keep; what is damaged is added to the lines. */
    private ReadableClients readToReplace(List<String> lines) throws CursorRejectedException {
        ReadableClients readable;
        try {
            readable = editor.readable();
        } catch (CursorException e) {
            throw new CursorRejectedException(e);
        }
        if (readable.isAllDamaged()) {
            lines.add(withCopy("what is there is damaged, so none of its clients is kept"));
        }
        if (!readable.damaged().isEmpty()) {
            lines.add(withCopy("the cursors of these clients are damaged: " + ids(idsOf(readable.damaged()))));
        }
        if (readable.isOrderDamaged()) {
            lines.add(
                    withCopy(
                            "the order of the filters is damaged, so the filter of the client with the largest id is in force from now on"));
        }
        return readable;
    }

    private String withCopy(String damage) {
        return "%s; a copy of what is there is %s".formatted(damage, editor.damagedPlace());
    }

    /** The damaged clients but one, which stay as they are: without them the instance could begin after what they have not got. */
    private static Set<Integer> othersDamaged(ReadableClients readable, int clientId, List<String> lines) {
        Set<Integer> others = idsOf(readable.damaged());
        others.remove(clientId);
        if (!others.isEmpty()) {
            lines.add("the instance does not start before the cursors of these clients are set or deleted, too: "
                    + ids(others));
        }
        return others;
    }

    private static Set<Integer> idsOf(List<Subscription> clients) {
        return clients.stream().map(Subscription::clientId).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String ids(Set<Integer> ids) {
        return ids.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private List<Subscription> read() throws CursorRejectedException {
        try {
            return editor.read();
        } catch (CursorException e) {
            throw new CursorRejectedException(e);
        }
    }

    private Optional<List<Subscription>> previous() throws CursorRejectedException {
        try {
            return editor.previous();
        } catch (CursorException e) {
            throw new CursorRejectedException(e);
        }
    }

    private static Optional<Subscription> find(List<Subscription> clients, int clientId) {
        return clients.stream().filter(client -> client.clientId() == clientId).findFirst();
    }

    private static List<Subscription> with(List<Subscription> clients, Subscription changed) {
        List<Subscription> all = new ArrayList<>(clients);
        all.removeIf(client -> client.clientId() == changed.clientId());
        all.add(changed);
        return all;
    }
}
