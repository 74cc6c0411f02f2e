package io.sluice.admin.fleet.live;

import io.sluice.admin.fleet.watch.OwnProblems;
import io.sluice.admin.fleet.watch.ServerState;
import io.sluice.admin.fleet.watch.ServerStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a server, without its instances.
 *
 * @param kind {@code sluice}, {@code canal} or {@code unknown}
 * @param detail why it is not running, and what to do; null if it is
 * @param problems what is wrong with it itself
 * @param lastSeen when it was heard of last; null if never
 */
public record ServerStatusView(
        String kind,
        ServerState state,
        @Nullable String detail,
        @Nullable String version,
        OwnProblems problems,
        @Nullable Instant lastSeen) {
    /** The status of a server that has not reported yet. */
    public static ServerStatusView connecting(String kind) {
        return of(ServerStatus.connecting(kind));
    }

    static ServerStatusView of(ServerStatus status) {
        return new ServerStatusView(
                status.kind(), status.state(), status.detail(), status.version(), status.problems(), status.lastSeen());
    }
}
