package io.sluice.admin.fleet.live;

import io.sluice.admin.fleet.watch.ServerState;
import io.sluice.admin.fleet.watch.ServerStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a server, without its instances.
 *
 * @param kind {@code sluice}, {@code canal} or {@code unknown}
 * @param detail why it is not running, and what to do; null if it is
 * @param configurationProblem why its newest {@code canal.properties} is not in force, as it reports; null if it is, or not known
 * @param restartKeys keys that have changed since it was started, and take effect at its next start, as it reports
 * @param lastSeen when it was heard of last; null if never
 */
public record ServerStatusView(
        String kind,
        ServerState state,
        @Nullable String detail,
        @Nullable String version,
        @Nullable String configurationProblem,
        List<String> restartKeys,
        @Nullable Instant lastSeen) {
    /** The status of a server that has not reported yet. */
    public static ServerStatusView connecting(String kind) {
        return of(ServerStatus.connecting(kind));
    }

    static ServerStatusView of(ServerStatus status) {
        return new ServerStatusView(
                status.kind(),
                status.state(),
                status.detail(),
                status.version(),
                status.configurationProblem(),
                status.restartKeys(),
                status.lastSeen());
    }
}
