package io.sluice.server.simulation;

import io.sluice.connector.api.deliver.SimulatedBroker;
import io.sluice.connector.api.deliver.SimulatedTime;
import io.sluice.protocol.time.Time;
import java.time.Duration;

/** The clocks of the simulated machine: those of the simulation, with a wall clock that is set now and then. */
final class SimulatedClock implements Time, SimulatedBroker.Clock {
    private static final long BEGIN_MILLIS = 1_700_000_000_000L;

    private final SimulatedTime time = new SimulatedTime();
    private long wallOffsetMillis;

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public long millis() {
        return BEGIN_MILLIS + time.millis() + wallOffsetMillis;
    }

    @Override
    public void sleep(Duration length) {
        time.sleep(length);
    }

    /** The clock of the source, in seconds since the epoch. */
    long sourceSeconds() {
        return BEGIN_MILLIS / 1000 + time.millis() / 1000;
    }

    void setWall(long offsetMillis) {
        wallOffsetMillis = offsetMillis;
    }

    @Override
    public long elapsedNanos() {
        return time.elapsedNanos();
    }

    @Override
    public void schedule(long delayNanos, Runnable task) {
        time.schedule(delayNanos, task);
    }

    boolean runNext(long withinNanos) {
        return time.runNext(withinNanos);
    }

    long untilNext() {
        return time.untilNext();
    }

    void pass(long nanos) {
        time.pass(nanos);
    }
}
