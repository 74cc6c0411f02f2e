package io.sluice.connector.api.route;

/**
 * Where a table's entries go.
 *
 * @param topic the topic's name as the broker gets it, not empty
 * @param partitioning which of its partitions
 */
public record Route(String topic, Partitioning partitioning) {}
