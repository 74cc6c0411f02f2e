package io.sluice.server;

import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.protocol.time.Time;
import io.sluice.server.control.Throughput;
import io.sluice.server.instance.Instance;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Measures how much an instance delivers, by looking at its counters every second. Safe for use by several threads. */
final class ThroughputMeter {
    private static final int SAMPLES = 6;

    private final Time time;
    private final Deque<Sample> samples = new ArrayDeque<>();
    private @Nullable Instance measured;

    private record Sample(long nanos, long rows, long bytes) {}

    ThroughputMeter(Time time) {
        this.time = time;
    }

    /** Takes a sample of the instance that runs now; null if none does. */
    synchronized void look(@Nullable Instance instance) {
        if (instance != measured) {
            samples.clear();
            measured = instance;
        }
        if (instance == null) {
            return;
        }
        long bytes = instance.senderStatus().map(SenderStatus::ackedBytes).orElse(0L);
        samples.addLast(new Sample(time.nanos(), instance.storeLevel().ackedRows(), bytes));
        if (samples.size() > SAMPLES) {
            samples.removeFirst();
        }
    }

    /** The average of the last five seconds. */
    synchronized Throughput throughput() {
        Sample first = samples.peekFirst();
        Sample last = samples.peekLast();
        if (first == null || last == null || first.nanos() == last.nanos()) {
            return Throughput.NONE;
        }
        double seconds =
                (double) (last.nanos() - first.nanos()) / Duration.ofSeconds(1).toNanos();
        return new Throughput((last.rows() - first.rows()) / seconds, (last.bytes() - first.bytes()) / seconds);
    }
}
