package io.sluice.stream.source;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.watch.ProbeOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of a source, the start position, and the options of reading it.
 *
 * @param hosts the servers that have its binlog, at least one; the first is preferred at a start without a cursor
 * @param replicaServerId the server id of this replica, 1 to 2^32−1, which no other replica of the source may have
 * @param acceptedFormats the values of {@code binlog_format} to continue with, in upper case; empty for any
 * @param acceptedImages the values of {@code binlog_row_image} to continue with, in upper case; empty for any
 * @param heartbeatPeriod after how long without an event the source sends a heartbeat; shorter than the read timeout
 * @param failuresBorne how many failures of a host in a row are borne before the next host is tried
 * @param probe how it is asked whether it is alive; null if it is not
 */
public record SourceOptions(
        List<SourceHost> hosts,
        long replicaServerId,
        PositionOptions positions,
        List<String> acceptedFormats,
        List<String> acceptedImages,
        Duration heartbeatPeriod,
        int failuresBorne,
        @Nullable ProbeOptions probe) {
    private static final int DEFAULT_FAILURES_BORNE = 3;

    /** @throws IllegalArgumentException if there is no host */
    public SourceOptions {
        hosts = List.copyOf(hosts);
        acceptedFormats = List.copyOf(acceptedFormats);
        acceptedImages = List.copyOf(acceptedImages);
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("a source without a host");
        }
    }

    /**
     * One host, with the default rules for positions.
     *
     * @param start where to start if there is no cursor; null for the end of the binlog, as it is then
     * @param startGtidSet the GTID set before {@code start}, which entries state then; null if they do not
     */
    public SourceOptions(
            ConnectOptions login,
            long replicaServerId,
            @Nullable BinlogPosition start,
            @Nullable String startGtidSet,
            List<String> acceptedFormats,
            List<String> acceptedImages,
            Duration heartbeatPeriod) {
        this(
                List.of(new SourceHost(
                        login,
                        start == null ? new ConfiguredStart.Default() : new ConfiguredStart.At(start, startGtidSet))),
                replicaServerId,
                new PositionOptions(startGtidSet != null, true, false, PositionOptions.DEFAULT.fallback()),
                acceptedFormats,
                acceptedImages,
                heartbeatPeriod,
                DEFAULT_FAILURES_BORNE,
                null);
    }

    /** Returns a copy with the given options for positions. */
    public SourceOptions with(PositionOptions others) {
        return new SourceOptions(
                hosts, replicaServerId, others, acceptedFormats, acceptedImages, heartbeatPeriod, failuresBorne, probe);
    }
}
