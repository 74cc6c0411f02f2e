package io.sluice.connector.kafka.produce;

import java.time.Duration;

/**
 * Limits of a {@link ProduceLoop}, by the producer options of Kafka's client.
 *
 * @param maxRequestBytes {@code max.request.size}: the record batches of a request have no more together, unless it has just one
 * @param maxInFlight {@code max.in.flight.requests.per.connection}, at most {@value #MAX_IN_FLIGHT}; more than {@value #REMEMBERED}
 *     batches of a partition only if they are large
 * @param requestTimeout {@code request.timeout.ms}
 * @param deliveryTimeout {@code delivery.timeout.ms}: how long a partition may have batches of which none is acknowledged
 * @param retryBackoff {@code retry.backoff.ms}: the first back-off before a batch is sent again
 * @param maxRetryBackoff {@code retry.backoff.max.ms}: the longest one
 * @param linger {@code linger.ms}: how long a batch waits for others
 */
public record ProduceOptions(
        int maxRequestBytes,
        int maxInFlight,
        Duration requestTimeout,
        Duration deliveryTimeout,
        Duration retryBackoff,
        Duration maxRetryBackoff,
        Duration linger) {
    /** A broker remembers so many batches of a producer in a partition, its newest, and recognizes their repetitions; fewer after a restart. */
    static final int REMEMBERED = 5;

    /** The most that are in flight for a partition: with more, a broker that is far away gets no more rows; to find out which a broker has of them takes up to as many requests. */
    public static final int MAX_IN_FLIGHT = 14;

    /** Brokers that answer are asked again after a back-off; after so many of the longest without an answer, they do not answer any more. */
    private static final int SILENT_BACKOFFS = 5;

    public ProduceOptions {
        if (maxInFlight < 1 || maxInFlight > MAX_IN_FLIGHT) {
            throw new IllegalArgumentException(
                    "so many requests may be in flight: from 1 to %d, not %d".formatted(MAX_IN_FLIGHT, maxInFlight));
        }
    }

    /** After how long without an answer to repeated questions brokers are unreachable. */
    public Duration silence() {
        return silence(maxRetryBackoff);
    }

    static Duration silence(Duration maxRetryBackoff) {
        return maxRetryBackoff.multipliedBy(SILENT_BACKOFFS);
    }
}
