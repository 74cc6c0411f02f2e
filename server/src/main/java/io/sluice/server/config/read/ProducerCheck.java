package io.sluice.server.config.read;

import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.server.config.server.ServerMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Has a connector read what is set for the producer, which only it understands, so that its problems are in the same list as all
 * others.
 */
@FunctionalInterface
public interface ProducerCheck {
    /** Takes everything, and reads nothing. */
    ProducerCheck NONE = (mode, properties, problems) -> Optional.empty();

    /**
     * Reads and checks, without connecting to anything.
     *
     * @param properties with their full keys, like {@code kafka.acks}
     * @param problems takes a full key, and what is wrong with its value
     * @return what makes producers with these properties; empty if there are problems, or there is no connector for the mode
     */
    Optional<MessageProducerFactory> configure(
            ServerMode mode, Map<String, String> properties, BiConsumer<String, String> problems);

    /**
     * Whether a key means something to the connector; see
     * {@link io.sluice.connector.api.producer.Connector#knows}.
     *
     * @param key the full key, which begins as those of the connector do
     */
    default boolean knows(ServerMode mode, String key) {
        return true;
    }

    /** What there is of connectors and is not used, and why, a sentence each. */
    default List<String> warnings() {
        return List.of();
    }
}
