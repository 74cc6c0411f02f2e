package io.sluice.server.tcp;

import io.sluice.protocol.packet.PacketType;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the requests and answers of the clients of each destination, since the port was opened or the destination was added. There is one for each
 * destination that was found, and one for all others: what a client names makes none. Thread-safe.
 */
public final class ClientCounts {
    /** Where requests are counted that name no destination of this server. */
    public static final String UNKNOWN = "unknown";

    private final Map<String, OfDestination> byName = new ConcurrentHashMap<>();

    /** Of one destination. */
    public static final class OfDestination {
        private static final double[] BOUNDS_MILLIS = {2.5, 10, 25, 100, Double.POSITIVE_INFINITY};

        private final Map<PacketType, LongAdder> packets = new ConcurrentHashMap<>();
        private final Map<Integer, LongAdder> errors = new ConcurrentHashMap<>();
        private final LongAdder bytes = new LongAdder();
        private final LongAdder emptyBatches = new LongAdder();
        private final LongAdder[] latencies = new LongAdder[BOUNDS_MILLIS.length];
        private final LongAdder latencyNanos = new LongAdder();

        private OfDestination() {
            for (int i = 0; i < latencies.length; i++) {
                latencies[i] = new LongAdder();
            }
        }

        void answered(PacketType type, boolean isEmptyBatch, int frameBytes, long nanos) {
            if (isEmptyBatch) {
                emptyBatches.increment();
            } else {
                packets.computeIfAbsent(type, first -> new LongAdder()).increment();
            }
            bytes.add(frameBytes);
            latencyNanos.add(nanos);
            int bucket = 0;
            while (nanos > BOUNDS_MILLIS[bucket] * TimeUnit.MILLISECONDS.toNanos(1)) {
                bucket++;
            }
            latencies[bucket].increment();
        }

        void rejected(int code) {
            errors.computeIfAbsent(code, first -> new LongAdder()).increment();
        }

        /** How many requests of each kind were answered, but for gets that were answered by nothing. */
        public Map<String, Long> packets() {
            Map<String, Long> sums = new TreeMap<>();
            packets.forEach((type, count) -> sums.put(type.name(), count.sum()));
            return sums;
        }

        /** How many were answered by an error, by its code. */
        public Map<Integer, Long> errors() {
            Map<Integer, Long> sums = new TreeMap<>();
            errors.forEach((code, count) -> sums.put(code, count.sum()));
            return sums;
        }

        /** The sizes of all answers, with the four bytes of their lengths. */
        public long bytes() {
            return bytes.sum();
        }

        /** How many gets were answered by nothing. */
        public long emptyBatches() {
            return emptyBatches.sum();
        }

        /** How many answers took so long and longer than the bound before, by upper bounds in milliseconds. */
        public Map<Double, Long> latencies() {
            Map<Double, Long> counts = new TreeMap<>();
            for (int i = 0; i < latencies.length; i++) {
                counts.put(BOUNDS_MILLIS[i], latencies[i].sum());
            }
            return counts;
        }

        /** How long all answers took, in milliseconds; a get's wait is in it. */
        public double latencySumMillis() {
            return latencyNanos.sum() / 1e6;
        }
    }

    /** The counts of a destination that exists, or of {@link #UNKNOWN}. */
    OfDestination of(String destination) {
        return byName.computeIfAbsent(destination, first -> new OfDestination());
    }

    /** Forgets all destinations but these; what names none of this server stays counted. */
    public void retain(Collection<String> destinations) {
        byName.keySet().removeIf(name -> !name.equals(UNKNOWN) && !destinations.contains(name));
    }

    /** All there are, by their destinations' names. */
    public Map<String, OfDestination> all() {
        return Collections.unmodifiableMap(new TreeMap<>(byName));
    }
}
