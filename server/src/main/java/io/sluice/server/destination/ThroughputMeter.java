package io.sluice.server.destination;

import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.connector.api.deliver.failure.DeliveryFailure;
import io.sluice.protocol.time.Time;
import io.sluice.server.control.Throughput;
import io.sluice.server.instance.Instance;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Measures how much an instance delivers, by looking at its counters every second. Thread-safe. */
final class ThroughputMeter {
    private static final int SAMPLES = 6;

    private final Time time;
    private final Deque<Sample> samples = new ArrayDeque<>();
    private @Nullable Instance measured;
    private long failures;

    private record Sample(long nanos, long rows, long bytes) {}

    ThroughputMeter(Time time) {
        this.time = time;
    }

    /**
     * Takes a sample of the instance that runs now; null if none does.
     *
     * @return the newest failure of its delivery, if there was one since the last sample; else null
     */
    synchronized @Nullable DeliveryFailure look(@Nullable Instance instance) {
        if (instance != measured) {
            samples.clear();
            measured = instance;
            failures = 0;
        }
        if (instance == null) {
            return null;
        }
        SenderStatus sender = instance.senderStatus().orElse(null);
        long bytes = sender == null ? 0 : sender.ackedBytes();
        samples.addLast(new Sample(time.nanos(), instance.storeLevel().ackedRows(), bytes));
        if (samples.size() > SAMPLES) {
            samples.removeFirst();
        }
        if (sender == null || sender.failures() == failures) {
            return null;
        }
        failures = sender.failures();
        return sender.lastFailure();
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
