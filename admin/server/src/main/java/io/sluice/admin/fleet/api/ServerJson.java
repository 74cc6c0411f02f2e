package io.sluice.admin.fleet.api;

import io.sluice.admin.fleet.live.ServerStatusView;
import io.sluice.admin.fleet.live.ServerView;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.fleet.watch.ServerState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server and what it reports about itself: {@code Server} of the API. */
record ServerJson(
        long id,
        String name,
        String ip,
        int adminPort,
        @Nullable Integer tcpPort,
        @Nullable Integer metricPort,
        @Nullable Long clusterId,
        @Nullable String clusterName,
        @Nullable String controlUrl,
        boolean hasControlToken,
        String kind,
        ServerState state,
        @Nullable String stateDetail,
        @Nullable String configurationProblem,
        @Nullable String clusterProblem,
        List<String> restartKeys,
        @Nullable String version,
        @Nullable Instant lastSeen,
        int instances,
        @Nullable Integer running,
        int unhealthy,
        long rowsPerSecond,
        long bytesPerSecond) {

    static ServerJson of(ServerView view) {
        ServerRow row = view.row();
        return new ServerJson(
                row.id(),
                row.name(),
                row.ip(),
                row.adminPort(),
                row.tcpPort(),
                row.metricPort(),
                row.clusterId(),
                row.clusterName(),
                row.controlUrl(),
                row.sealedToken() != null,
                view.status().kind(),
                view.status().state(),
                view.status().detail(),
                view.status().problems().configuration(),
                view.status().problems().cluster(),
                view.status().problems().restartKeys(),
                view.status().version(),
                view.status().lastSeen(),
                view.instances(),
                view.running(),
                view.unhealthy(),
                view.rowsPerSecond(),
                view.bytesPerSecond());
    }

    /** A server whose configuration has just changed: it has not reported yet. */
    static ServerJson of(ServerRow row) {
        ServerStatusView status = ServerStatusView.connecting(row.controlUrl() == null ? "unknown" : "sluice");
        return of(ServerView.unreported(row, status));
    }
}
