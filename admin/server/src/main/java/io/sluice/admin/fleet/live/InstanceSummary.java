package io.sluice.admin.fleet.live;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An instance in a list: {@code InstanceSummary} of the API.
 *
 * @param managed whether its configuration is kept here
 * @param serverId where it belongs, if to no cluster
 * @param runningOn the name of the server that runs it
 * @param healthy no action is needed
 * @param cursorUnwrittenSeconds for how long the newest cursor could not be written; 0 if it is written; null if that is not known
 * @param problem the most important one, other than a cursor that is not written
 * @param asOf when this was reported
 */
public record InstanceSummary(
        String name,
        boolean managed,
        boolean enabled,
        @Nullable Long clusterId,
        @Nullable String clusterName,
        @Nullable Long serverId,
        @Nullable String serverName,
        @Nullable String runningOn,
        @Nullable Long runningOnId,
        String state,
        boolean healthy,
        boolean paused,
        long rowsPerSecond,
        long bytesPerSecond,
        @Nullable Long lagSeconds,
        @Nullable Long lagBytes,
        @Nullable Long deliveryDelaySeconds,
        @Nullable Long cursorUnwrittenSeconds,
        @Nullable String problem,
        @Nullable Instant asOf) {
    /**
     * The lag as an operator sees it: the longer of the lag of reading and the delay of delivery, in seconds. Null if it is not known, as
     * while the source cannot be read and nothing that was read waits.
     */
    public @Nullable Long totalLagSeconds() {
        Long lag = lagSeconds;
        Long delay = deliveryDelaySeconds;
        if (lag == null) {
            return delay == null || delay == 0 ? null : delay;
        }
        return delay == null ? lag : Long.valueOf(Math.max(lag, delay));
    }
}
