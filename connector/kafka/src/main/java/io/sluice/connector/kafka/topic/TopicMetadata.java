package io.sluice.connector.kafka.topic;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * How many partitions topics have, as the brokers state. All methods wait for an answer no longer than {@code max.block.ms}, and throw a
 * {@link org.apache.kafka.common.errors.TimeoutException TimeoutException} then; its cause is an
 * {@link org.apache.kafka.common.errors.UnknownTopicOrPartitionException UnknownTopicOrPartitionException} if the brokers have answered that they know no such topic.
 */
public interface TopicMetadata {
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

    /** How old the newest answer of the brokers is to any of a producer's questions for metadata; zero if it does not state it. */
    private static Duration ageOf(Producer<byte[], byte[]> kafka) {
        for (Metric metric : kafka.metrics().values()) {
            if (metric.metricName().name().equals("metadata-age") && metric.metricValue() instanceof Double seconds) {
                return Duration.ofMillis((long) (seconds * 1000));
            }
        }
        return Duration.ZERO;
    }

    /**
     * As a producer knows it.
     *
     * @param connect makes a producer that is asked once and closed, since the metadata of another one may be out of date
     * @param silence when brokers that have answered do so no more
     */
    static TopicMetadata of(
            Producer<byte[], byte[]> kafka, Supplier<Producer<byte[], byte[]>> connect, Duration silence) {
        return new TopicMetadata() {
            @Override
            public int partitionsOf(String topic) {
                return ask(kafka, topic);
            }

            @Override
            public int newestPartitionsOf(String topic) {
                try (Producer<byte[], byte[]> fresh = connect.get()) {
                    return ask(fresh, topic);
                }
            }

            /** Kafka's producer keeps the last answer as the cause, however long ago that was. */
            private int ask(Producer<byte[], byte[]> asked, String topic) {
                try {
                    return asked.partitionsFor(topic).size();
                } catch (TimeoutException e) {
                    if (e.getCause() == null || ageOf(asked).compareTo(silence) <= 0) {
                        throw e;
                    }
                    throw new TimeoutException(
                            "the brokers do not answer any more: check kafka.bootstrap.servers, and the network");
                }
            }

            @Override
            public int partitionsOfMissing(String topic) {
                return newestPartitionsOf(topic);
            }
        };
    }
}
