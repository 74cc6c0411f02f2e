package io.sluice.connector.kafka;

import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/**
 * How many partitions topics have, as the brokers state. All methods wait for an answer no longer than {@code max.block.ms}, and throw a
 * {@link org.apache.kafka.common.errors.TimeoutException TimeoutException} then; its cause is an
 * {@link org.apache.kafka.common.errors.UnknownTopicOrPartitionException UnknownTopicOrPartitionException} if the brokers have answered that they know no such topic.
 */
interface TopicMetadata {
    /**
     * As stated some minutes ago at most.
     *
     * @throws KafkaException if the brokers do not answer, or know no such topic
     */
    int partitionsOf(String topic);

    /**
     * As stated now.
     *
     * @throws KafkaException if the brokers do not answer, or know no such topic
     */
    int newestPartitionsOf(String topic);

    /**
     * As stated now, of a topic that is likely not to exist: need not wait for it to be created.
     *
     * @throws KafkaException if the brokers do not answer, or know no such topic
     */
    int partitionsOfMissing(String topic);

    /**
     * As a producer knows it.
     *
     * @param connect makes a producer that is asked once and closed, since the metadata of another one may be out of date
     */
    static TopicMetadata of(Producer<byte[], byte[]> kafka, Supplier<Producer<byte[], byte[]>> connect) {
        return new TopicMetadata() {
            @Override
            public int partitionsOf(String topic) {
                return kafka.partitionsFor(topic).size();
            }

            @Override
            public int newestPartitionsOf(String topic) {
                try (Producer<byte[], byte[]> fresh = connect.get()) {
                    return fresh.partitionsFor(topic).size();
                }
            }

            @Override
            public int partitionsOfMissing(String topic) {
                return newestPartitionsOf(topic);
            }
        };
    }
}
