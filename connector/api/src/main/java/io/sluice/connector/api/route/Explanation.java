package io.sluice.connector.api.route;

/**
 * Where a table's entries go, and why.
 *
 * @param route where
 * @param topic why this topic
 * @param partition why these partitions of it
 * @param count why this number of partitions; its sentence is empty if the number does not matter
 * @param messageKey why this key of the messages
 */
public record Explanation(Route route, Reason topic, Reason partition, Reason count, Reason messageKey) {}
