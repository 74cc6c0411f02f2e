package io.sluice.admin.fleet.live;

import io.sluice.admin.fleet.server.ServerRow;
import org.jspecify.annotations.Nullable;

/**
 * A server: what is configured of it, and what it reports.
 *
 * @param instances that it is configured with
 * @param running of these, those that it has now: in a cluster another server may have them, and a stopped one is on none; null: not known, since it does not
 *     answer
 * @param unhealthy of these
 * @param rowsPerSecond delivered by all of them
 * @param bytesPerSecond delivered by all of them
 * @param lagSeconds the largest of them; negative if none is known
 * @param deliveryDelaySeconds the largest of them; negative if none is known
 */
public record ServerView(
        ServerRow row,
        ServerStatusView status,
        int instances,
        @Nullable Integer running,
        int unhealthy,
        long rowsPerSecond,
        long bytesPerSecond,
        long lagSeconds,
        long deliveryDelaySeconds) {
    /** A server of whose instances nothing is known. */
    public static ServerView unreported(ServerRow row, ServerStatusView status) {
        return new ServerView(row, status, 0, null, 0, 0, 0, -1, -1);
    }
}
