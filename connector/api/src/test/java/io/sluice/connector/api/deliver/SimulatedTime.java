package io.sluice.connector.api.deliver;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The time of a simulation, and the events that it has in store: it passes only from one event to the next, or as far as it
 * is told. Not for several threads.
 */
public final class SimulatedTime implements Time, SimulatedBroker.Clock {
    /** Overflows soon, as {@link System#nanoTime} may. */
    private static final long ORIGIN = Long.MAX_VALUE - 10_000_000_000L;

    private record Event(long atNanos, long sequence, Runnable task) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::sequence));
    private long elapsedNanos;
    private long nextSequence;

    @Override
    public long nanos() {
        return ORIGIN + elapsedNanos;
    }

    @Override
    public long millis() {
        return elapsedNanos / 1_000_000;
    }

    @Override
    public void sleep(Duration length) {
        pass(length.toNanos());
    }

    /** How much time has passed since the begin. */
    @Override
    public long elapsedNanos() {
        return elapsedNanos;
    }

    /** Has a task run after some time. */
    @Override
    public void schedule(long delayNanos, Runnable task) {
        events.add(new Event(elapsedNanos + delayNanos, nextSequence++, task));
    }

    /** Passes to the next event and runs it, unless that is farther away; says whether it did. */
    public boolean runNext(long withinNanos) {
        Event next = events.peek();
        if (next == null || next.atNanos() - elapsedNanos > withinNanos) {
            return false;
        }
        events.remove();
        elapsedNanos = Math.max(elapsedNanos, next.atNanos());
        next.task().run();
        return true;
    }

    /** How long until the next event. */
    public long untilNext() {
        Event next = events.peek();
        return next == null ? Long.MAX_VALUE : Math.max(0, next.atNanos() - elapsedNanos);
    }

    /** Passes. */
    public void pass(long nanos) {
        elapsedNanos += Math.max(0, nanos);
    }
}
