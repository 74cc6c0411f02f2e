package io.sluice.stream.source;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import java.time.Duration;

/** What a source is doing. {@link SourceSession} has the transitions. */
public sealed interface SourceState {
    /** It connects to a host, and logs in. */
    record Connecting(ServerAddress host) implements SourceState {}

    /** It finds where to read the host from, and the schemas of tables there. */
    record Locating(ServerAddress host) implements SourceState {}

    /**
     * It reads the binlog.
     *
     * @param from where it began; unknown if only GTIDs tell it
     */
    record Streaming(ServerAddress host, BinlogPosition from) implements SourceState {}

    /**
     * It waits before it tries again.
     *
     * @param host the one that failed
     * @param pause how long it waits in all
     */
    record BackingOff(ServerAddress host, SourceFailure failure, Throwable cause, Duration pause)
            implements SourceState {}

    /**
     * It leaves a host for another one.
     *
     * @param failure what failed there
     */
    record SwitchingHost(ServerAddress from, ServerAddress to, SourceFailure failure, Throwable cause)
            implements SourceState {}

    /** It has stopped for good, since no other attempt would go better. */
    record Failed(ServerAddress host, SourceFailure failure, Throwable cause) implements SourceState {}

    /** It was stopped. */
    record Stopped() implements SourceState {}
}
