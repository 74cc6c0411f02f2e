package io.sluice.connector.kafka;

import java.util.Locale;
import java.util.Map;

/** The ways in which messages are sent to Kafka. */
enum Sending {
    /** As record batches that converters write. */
    BATCHES("kafka.sluice.producer", "batches"),
    /** By the producer of Kafka's client. */
    CLIENT("kafka.sluice.producer", "client"),
    /** By the same, in transactions. */
    TRANSACTIONS("kafka.transactional.id", "test");

    private final String key;
    private final String value;

    Sending(String key, String value) {
        this.key = key;
        this.value = value;
    }

    Map<String, String> options() {
        return Map.of(key, value);
    }

    /** Part of the name of a topic that a test has for each way. */
    String suffix() {
        return name().toLowerCase(Locale.ROOT);
    }
}
