package io.sluice.connector.kafka.settings;

import static org.apache.kafka.clients.producer.ProducerConfig.ACKS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.INTERCEPTOR_CLASSES_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION;
import static org.apache.kafka.clients.producer.ProducerConfig.RETRIES_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.TRANSACTIONAL_ID_CONFIG;

import io.sluice.connector.kafka.produce.ProduceOptions;

/**
 * How records are delivered, and their order is kept.
 *
 * @param writesBatches whether record batches are written by converters, and not by the producer of Kafka's client
 * @param maxInFlight how many of these batches may be in flight
 */
record DeliveryMode(boolean writesBatches, int maxInFlight) {
    private static final String PRODUCER = "sluice.producer";
    private static final String BATCHES = "batches";
    private static final String CLIENT = "client";

    /** With more requests in flight the broker cannot recognize a repetition. */
    private static final int MAX_IN_FLIGHT_IDEMPOTENT = 5;

    /** Reads what the order depends on; corrects options that could change it. */
    static DeliveryMode of(ClientOptions options) {
        boolean allAcks = isAllAcks(options.has(ACKS_CONFIG) ? options.get(ACKS_CONFIG) : "all");
        boolean idempotent = options.flag(ENABLE_IDEMPOTENCE_CONFIG, allAcks);
        if (idempotent && !allAcks) {
            options.problem(
                    ACKS_CONFIG, "must be all, as %s is true".formatted(options.keyOf(ENABLE_IDEMPOTENCE_CONFIG)));
        }
        if (options.has(TRANSACTIONAL_ID_CONFIG) && !idempotent) {
            options.problem(
                    TRANSACTIONAL_ID_CONFIG,
                    "needs %s=all and %s=true"
                            .formatted(options.keyOf(ACKS_CONFIG), options.keyOf(ENABLE_IDEMPOTENCE_CONFIG)));
        }
        if (!allAcks) {
            options.correction(ACKS_CONFIG, "a broker that fails may lose records that it has confirmed; all is safe");
        }
        int maxInFlight = idempotent ? limitInFlight(options) : limitToOne(options);
        options.putIfAbsent(ENABLE_IDEMPOTENCE_CONFIG, Boolean.toString(idempotent));
        return new DeliveryMode(writesBatches(options), maxInFlight);
    }

    /** Returns how many batches that Sluice writes may be in flight. */
    private static int limitInFlight(ClientOptions options) {
        if (options.wholeNumber(RETRIES_CONFIG, 1) == 0) {
            options.remove(RETRIES_CONFIG);
            options.correction(
                    RETRIES_CONFIG,
                    "0 is ignored: an idempotent producer needs retries, keeps the order, and ends them after "
                            + DELIVERY_TIMEOUT_MS_CONFIG);
        }
        int maxInFlight = (int) Math.min(
                ProduceOptions.MAX_IN_FLIGHT,
                options.wholeNumber(MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, ProduceOptions.MAX_IN_FLIGHT));
        if (options.wholeNumber(MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1) > MAX_IN_FLIGHT_IDEMPOTENT) {
            options.put(MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, Integer.toString(MAX_IN_FLIGHT_IDEMPOTENT));
            options.correction(
                    MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                    "set to 5, the most of an idempotent producer of Kafka's client; of batches that Sluice writes "
                            + maxInFlight + " are in flight if they are large");
        }
        return maxInFlight;
    }

    private static int limitToOne(ClientOptions options) {
        options.correction(
                ENABLE_IDEMPOTENCE_CONFIG,
                "a producer that is not idempotent may change the order after a failure: a request that reaches a broker late"
                        + " is stored after its repetition");
        if (!options.has(MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION)
                || options.wholeNumber(MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1) != 1) {
            options.put(MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
            options.correction(
                    MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                    "set to 1, since a producer that is not idempotent could change the order");
        }
        return 1;
    }

    /** Options that only Kafka's producer has leave the choice to it. */
    private static boolean writesBatches(ClientOptions options) {
        String chosen = options.remove(PRODUCER);
        if (chosen != null && !chosen.equals(BATCHES) && !chosen.equals(CLIENT)) {
            options.problem(PRODUCER, "%s must be %s or %s".formatted(chosen, BATCHES, CLIENT));
            return false;
        }
        String needed = options.has(TRANSACTIONAL_ID_CONFIG)
                ? TRANSACTIONAL_ID_CONFIG
                : !options.flag(ENABLE_IDEMPOTENCE_CONFIG, true)
                        ? ENABLE_IDEMPOTENCE_CONFIG
                        : options.has(INTERCEPTOR_CLASSES_CONFIG) ? INTERCEPTOR_CLASSES_CONFIG : "";
        if (!needed.isEmpty() && BATCHES.equals(chosen)) {
            options.correction(
                    PRODUCER,
                    "%s is ignored, %s needs the producer of Kafka's client".formatted(BATCHES, options.keyOf(needed)));
        }
        return needed.isEmpty() && !CLIENT.equals(chosen);
    }

    static boolean isAllAcks(String acks) {
        return acks.equals("all") || acks.equals("-1");
    }
}
