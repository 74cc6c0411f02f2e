package io.sluice.parse.source;

import io.sluice.parse.pipeline.StreamPoint;
import io.sluice.parse.wire.ConnectOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which source is read, and from where.
 *
 * @param login how to connect
 * @param replicaServerId our server id, 1 to 2^32−1, which no other replica of the source may have
 * @param start where to start if there is no cursor; null for the end of the binlog, as it is then
 * @param startGtidSet the GTID set before {@code start}; null outside of GTID mode
 * @param acceptedFormats the values of {@code binlog_format} to go on with, in upper case; empty for any
 * @param acceptedImages the values of {@code binlog_row_image} to go on with, in upper case; empty for any
 * @param heartbeatPeriod after how long without an event the source sends a heartbeat
 */
public record SourceOptions(
        ConnectOptions login,
        long replicaServerId,
        @Nullable StreamPoint start,
        @Nullable String startGtidSet,
        List<String> acceptedFormats,
        List<String> acceptedImages,
        Duration heartbeatPeriod) {
    public SourceOptions {
        acceptedFormats = List.copyOf(acceptedFormats);
        acceptedImages = List.copyOf(acceptedImages);
    }
}
