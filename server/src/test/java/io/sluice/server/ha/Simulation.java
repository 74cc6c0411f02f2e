package io.sluice.server.ha;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Runs events in the order of a simulated clock, in one thread: the same seed gives the same run. */
final class Simulation {
    private static final int TRACED = 250;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Random random;

    /** Of its own: what it decides is rare, and the other events are those that there would be without it. */
    private final Random ofStops;

    private final @Nullable Deque<String> trace;
    private Runnable observer = () -> {};
    private long now;
    private long scheduled;

    private record Event(long nanos, long number, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(nanos, other.nanos);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    Simulation(long seed, boolean traced) {
        this.random = new Random(seed);
        this.ofStops = new Random(~seed);
        this.trace = traced ? new ArrayDeque<>() : null;
    }

    /** Runs a check after each event. */
    void observe(Runnable check) {
        observer = check;
    }

    /** Nanoseconds since the begin, by the one true clock. */
    long now() {
        return now;
    }

    void at(long nanos, Runnable action) {
        events.add(new Event(Math.max(now, nanos), scheduled++, action));
    }

    void after(Duration delay, Runnable action) {
        at(now + delay.toNanos(), action);
    }

    /** When the next event is. */
    long next() {
        return events.isEmpty() ? Long.MAX_VALUE : events.element().nanos();
    }

    /** Runs the next event; may be called by an event, for a thread that waits while the others run. */
    void step() {
        Event next = events.remove();
        now = next.nanos();
        next.action().run();
        observer.run();
    }

    /** The randomness of the parts that are simulated, which is drawn from the seed as well. */
    RandomGenerator random() {
        return random;
    }

    /** How long a stop in good order takes, at most as long as is given. */
    Duration stop(Duration most) {
        return ofStops.nextInt(3) == 0
                ? Duration.ofNanos((long) (ofStops.nextDouble() * most.toNanos()))
                : Duration.ZERO;
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    Duration between(Duration least, Duration most) {
        return least.plusNanos((long) (random.nextDouble() * (most.toNanos() - least.toNanos())));
    }

    Duration upTo(Duration most) {
        return between(Duration.ZERO, most);
    }

    /** A delay in a network: mostly short. */
    Duration latency() {
        return chance(0.02) ? upTo(Duration.ofMillis(1500)) : Duration.ofNanos(200_000 + random.nextInt(4_000_000));
    }

    void note(Supplier<String> event) {
        if (trace != null) {
            if (trace.size() == TRACED) {
                trace.removeFirst();
            }
            trace.add("%10.3f  %s".formatted(now / 1e9, event.get()));
        }
    }

    /** The last events that were noted; none if the run is not traced. */
    String trace() {
        return trace == null ? "" : String.join("\n", trace);
    }
}
