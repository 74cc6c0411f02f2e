package io.sluice.connector.api.route;

import io.sluice.format.split.RowKey;
import org.jspecify.annotations.Nullable;

/**
 * Where a table's entries go.
 *
 * @param topic the topic's name as the broker gets it, not empty
 * @param partitioning which of its partitions
 * @param messageKey the columns whose values are the message's key; null if it has none
 */
public record Route(
        String topic, Partitioning partitioning, @Nullable RowKey messageKey) {
    /** A route of messages without keys. */
    public Route(String topic, Partitioning partitioning) {
        this(topic, partitioning, null);
    }
}
