package io.sluice.connector.kafka;

import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/** How many partitions topics have, as the brokers state. Both methods wait for an answer no longer than {@code max.block.ms}. */
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
        };
    }
}
