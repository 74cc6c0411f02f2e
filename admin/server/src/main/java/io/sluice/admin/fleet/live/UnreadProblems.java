package io.sluice.admin.fleet.live;

import io.sluice.admin.config.OwnerKind;
import io.sluice.admin.config.UnreadChanges.Change;
import io.sluice.admin.fleet.watch.ServerState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Finds saved configurations that are not in force, since servers have not read them, have rejected them, or need a restart. Has no state. */
final class UnreadProblems {
    /** A server that got a reload request, or asks regularly, has read the configuration in this time. */
    private static final Duration USUAL = Duration.ofSeconds(15);

    private static final String REMOVE_CAUSE =
            "remove the cause, then reload the server; a key that needs a restart of the server takes effect by that";

    private UnreadProblems() {}

    /**
     * The overview with these problems.
     *
     * @param unread what a server has not read, by its id
     */
    static Overview added(Overview overview, List<ServerView> servers, LongFunction<List<Change>> unread, Instant now) {
        List<FleetProblem> problems = new ArrayList<>(overview.problems());
        for (ServerView server : servers) {
            List<Change> changes = unread.apply(server.row().id());
            for (Change change : changes) {
                if (isDue(server, change, now)) {
                    problems.add(of(server, change));
                }
            }
            String rejected = server.status().problems().configuration();
            if (rejected != null && changes.stream().allMatch(change -> change.failure() == null)) {
                problems.add(rejected(server, rejected, now));
            }
            List<String> keys = server.status().problems().restartKeys();
            if (rejected == null && !keys.isEmpty()) { // else the reason has them
                problems.add(waiting(server, keys, now));
            }
        }
        return overview.withProblems(problems, problems.size());
    }

    private static boolean isDue(ServerView server, Change change, Instant now) {
        ServerState state = server.status().state();
        boolean isLost = server.row().controlUrl() != null && !state.isAnswering() && state != ServerState.CONNECTING;
        return isLost || change.failure() != null || change.saved().plus(USUAL).isBefore(now);
    }

    private static FleetProblem of(ServerView server, Change change) {
        boolean isInstance = change.kind() == OwnerKind.INSTANCE;
        String what = isInstance ? "its newest configuration" : "the newest canal.properties";
        String failure = change.failure();
        return new FleetProblem(
                "warning",
                isInstance ? change.id() : null,
                server.row().id(),
                server.row().name(),
                isInstance ? "configuration_unread" : "server_configuration_unread",
                "%s is not in force on %s%s"
                        .formatted(
                                what,
                                server.row().name(),
                                failure == null ? ", which has not read it" : ": " + failure),
                remedy(server, failure),
                change.saved());
    }

    /** What a server has read by itself, or before a start of this process, and has not put into force. */
    private static FleetProblem rejected(ServerView server, String why, Instant now) {
        return new FleetProblem(
                "warning",
                null,
                server.row().id(),
                server.row().name(),
                "server_configuration_rejected",
                "the newest configuration is not in force on %s: %s"
                        .formatted(server.row().name(), why),
                REMOVE_CAUSE,
                now);
    }

    /** What a server has read, and takes over when it is restarted: unnoticed, with a crash weeks later, on each server of a cluster at another time. */
    private static FleetProblem waiting(ServerView server, List<String> keys, Instant now) {
        return new FleetProblem(
                "warning",
                null,
                server.row().id(),
                server.row().name(),
                "server_restart_needed",
                "changed keys are not in force on %s until it is restarted: %s"
                        .formatted(server.row().name(), String.join(", ", keys)),
                "restart the process of the server, in a cluster one server after the other; or restore the former values",
                now);
    }

    private static String remedy(ServerView server, @Nullable String failure) {
        if (server.row().controlUrl() == null) {
            return "restart the server: it asks for its configuration at its start, and regularly only if its canal.properties has canal.auto.scan = true";
        }
        if (!server.status().state().isAnswering()) {
            return "restore the connection to the server, and it is told to read its configuration";
        }
        return failure == null ? "reload the server" : REMOVE_CAUSE;
    }
}
