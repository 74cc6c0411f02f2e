package io.sluice.stream.source;

import io.sluice.protocol.time.Time;
import io.sluice.stream.source.server.SourceHosts;
import java.time.Duration;

/** Waits after a failure, and then has the current host connected to. */
final class BackingOff extends Phase {
    private final Transition.BackOff begun;
    private final SourceHosts hosts;
    private final Time time;
    private final long since;

    BackingOff(Transition.BackOff begun, SourceHosts hosts, Time time) {
        super(begun.host());
        this.begun = begun;
        this.hosts = hosts;
        this.time = time;
        this.since = time.nanos();
    }

    @Override
    Transition step() {
        Duration left = begun.delay().minusNanos(time.nanos() - since);
        return left.isNegative() || left.isZero() ? new Transition.Connect(hosts.current()) : new Transition.Stay(left);
    }

    @Override
    SourceState state() {
        return new SourceState.BackingOff(address(), begun.failure(), begun.cause(), begun.delay());
    }
}
