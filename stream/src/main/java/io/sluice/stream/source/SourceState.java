package io.sluice.stream.source;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import java.time.Duration;

/** The state of a source. {@link SourceSession} has the transitions. */
public sealed interface SourceState {
    /** It connects to a host, and logs in. */
    record Connecting(ServerAddress host) implements SourceState {}

    /** It finds the start position at the host, and the table schemas there. */
    record Locating(ServerAddress host) implements SourceState {}

    /**
     * It reads the binlog.
     *
     * @param from where it began; unknown if it is known by GTIDs only
     */
    record Streaming(ServerAddress host, BinlogPosition from) implements SourceState {}

    /**
     * It waits before the next attempt.
     *
     * @param host the one that failed
     * @param backoff how long it waits in all
     */
    record BackingOff(ServerAddress host, SourceFailure failure, Throwable cause, Duration backoff)
            implements SourceState {}

    /**
     * It leaves a host for another one.
     *
     * @param failure what failed there
     */
    record SwitchingHost(ServerAddress from, ServerAddress to, SourceFailure failure, Throwable cause)
            implements SourceState {}

    /** It has failed for good, since a retry would not help. */
    record Failed(ServerAddress host, SourceFailure failure, Throwable cause) implements SourceState {}

    /** It was stopped. */
    record Stopped() implements SourceState {}
}
