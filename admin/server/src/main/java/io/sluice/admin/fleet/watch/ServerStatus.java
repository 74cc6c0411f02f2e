package io.sluice.admin.fleet.watch;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a server at a time.
 *
 * @param kind {@code sluice}, {@code canal} or {@code unknown}
 * @param detail why it is not running, and what to do; null if it is
 * @param version null if it is not known
 * @param problems what is wrong with it itself
 * @param lastSeen when it was heard of last; null if never
 * @param instances what it reports about its instances; empty if it does not answer now
 */
public record ServerStatus(
        String kind,
        ServerState state,
        @Nullable String detail,
        @Nullable String version,
        OwnProblems problems,
        @Nullable Instant lastSeen,
        List<InstanceReport> instances) {

    public static ServerStatus connecting(String kind) {
        return new ServerStatus(kind, ServerState.CONNECTING, null, null, OwnProblems.NONE, null, List.of());
    }

    /** Returns a copy with what the server reports of itself. */
    public ServerStatus with(@Nullable String newVersion, OwnProblems newProblems) {
        return new ServerStatus(kind, state, detail, newVersion, newProblems, lastSeen, instances);
    }

    /** Returns the status of the server when it does not answer as it should: without its instances. */
    public ServerStatus failed(ServerState as, String why) {
        return new ServerStatus(kind, as, why, version, OwnProblems.NONE, lastSeen, List.of());
    }
}
