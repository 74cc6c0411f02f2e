package io.sluice.stream.source;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import java.time.Duration;

/** What a session does after a step of a {@link Phase}, or after a failure. */
sealed interface Transition {
    /** The phase continues with its next step. */
    Transition STAY = new Stay(Duration.ZERO);

    /**
     * The phase continues with its next step.
     *
     * @param delay for how long there is nothing to do
     */
    record Stay(Duration delay) implements Transition {}

    /** Another phase begins; {@link Phases} makes it. */
    sealed interface ToPhase extends Transition {}

    /** {@link Connecting} begins. */
    record Connect(SourceHost host) implements ToPhase {}

    /** {@link Locating} begins: the host is logged in to. */
    record Locate(SourceHost host, SourceConnection connection) implements ToPhase {}

    /**
     * {@link Streaming} begins: the host sends its binlog.
     *
     * @param reader of the events
     * @param start where they begin
     */
    record Stream(SourceHost host, SourceConnection connection, EventSource events, EventReader reader, DumpStart start)
            implements ToPhase {}

    /**
     * {@link BackingOff} begins.
     *
     * @param host the one that failed
     */
    record BackOff(SourceHost host, SourceFailure failure, Throwable cause, Duration delay) implements ToPhase {}

    /**
     * {@link SwitchingHost} begins.
     *
     * @param left the host that was read
     * @param next the host that is read after the wait
     * @param failure why the other one is left
     */
    record SwitchHost(SourceHost left, SourceHost next, SourceFailure failure, Throwable cause, Duration delay)
            implements ToPhase {}

    /**
     * The session ends, in {@link Ended}.
     *
     * @param host the one that was read last
     */
    record End(SourceHost host, SourceState last) implements ToPhase {}
}
