package io.sluice.server.config;

/**
 * Which topic and partition an instance's entries go to, and a detail of what they say there.
 *
 * @param topic the topic
 * @param partition the partition
 * @param accumulateOld whether {@code old} of an updated row also names the columns that rows before it in the message
 *     changed, as canal does
 */
public record RoutingConfig(String topic, int partition, boolean accumulateOld) {}
