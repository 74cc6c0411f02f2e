package io.sluice.connector.kafka.failure;

import org.apache.kafka.common.KafkaException;

/** A message is for a partition that its topic does not have. */
public final class NoSuchPartitionException extends KafkaException {
    private static final long serialVersionUID = 1L;

    public NoSuchPartitionException(String topic, int partition, int count) {
        super(
                "topic %s has no partition %d, it has %d, from 0 to %d: add partitions to it, or choose others in canal.mq.*"
                        .formatted(topic, partition, count, count - 1));
    }
}
