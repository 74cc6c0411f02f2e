package io.sluice.server.config;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which topic and partition an instance's rows go to. The rules are kept as written; who routes parses them.
 *
 * @param topic the default topic
 * @param partition the partition, where no hash rule is set
 * @param partitions how many partitions a topic has; empty if not said
 * @param partitionHash rules by which columns choose a partition
 * @param dynamicTopic rules by which tables choose a topic
 * @param dynamicTopicPartitions rules for how many partitions a topic has
 * @param ddlPartition where a DDL goes
 * @param accumulateOld whether {@code old} of an updated row also names the columns that rows before it in the message
 *     changed, as canal does
 */
public record RoutingConfig(
        String topic,
        int partition,
        OptionalInt partitions,
        Optional<String> partitionHash,
        Optional<String> dynamicTopic,
        Optional<String> dynamicTopicPartitions,
        DdlPartition ddlPartition,
        boolean accumulateOld) {}
