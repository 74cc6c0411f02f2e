package io.sluice.server.config.read;

import io.sluice.server.config.ServerMode;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Checks what is set for the producer, which only its connector understands, so that its problems are in the same list
 * as all others.
 */
@FunctionalInterface
public interface ProducerCheck {
    /** Takes everything. */
    ProducerCheck NONE = (mode, properties, problems) -> {};

    /**
     * Checks, without connecting to anything.
     *
     * @param properties with their full keys, like {@code kafka.acks}
     * @param problems takes a full key, and what is wrong with its value
     */
    void check(ServerMode mode, Map<String, String> properties, BiConsumer<String, String> problems);

    /**
     * Whether a key means something to the connector; see
     * {@link io.sluice.connector.api.producer.MessageProducerFactory#knows}.
     *
     * @param key the full key, which begins as those of the connector do
     */
    default boolean knows(ServerMode mode, String key) {
        return true;
    }
}
