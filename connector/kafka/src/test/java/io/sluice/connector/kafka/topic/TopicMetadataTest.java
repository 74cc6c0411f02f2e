package io.sluice.connector.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;

/** What a producer of Kafka's client knows of a topic, by answers that no broker has given. */
class TopicMetadataTest {
    private static final Duration SILENCE = Duration.ofSeconds(5);
    private final TimeoutException unknown =
            new TimeoutException("not in the metadata", new UnknownTopicOrPartitionException("unknown"));

    private double metadataAgeSeconds;

    private final TopicMetadata metadata = TopicMetadata.of(producer(), this::producer, SILENCE);

    @SuppressWarnings("unchecked")
    private Producer<byte[], byte[]> producer() {
        return (Producer<byte[], byte[]>) Proxy.newProxyInstance(
                Producer.class.getClassLoader(),
                new Class<?>[] {Producer.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "partitionsFor" -> throw unknown;
                    case "metrics" -> Map.of(Age.NAME, new Age(metadataAgeSeconds));
                    default -> null;
                });
    }

    private record Age(double seconds) implements Metric {
        private static final MetricName NAME = new MetricName("metadata-age", "producer-metrics", "", Map.of());

        @Override
        public MetricName metricName() {
            return NAME;
        }

        @Override
        public Object metricValue() {
            return seconds;
        }
    }

    @Test
    void aTopicThatTheBrokersDoNotKnowIsReportedAsThat() {
        metadataAgeSeconds = 1;

        assertThat(failures()).hasSize(3).containsOnly(unknown);
    }

    /** Or an outage would count as a time in which the topic was missing. */
    @Test
    void brokersThatDoNotAnswerAnyMoreSayNothingOfATopicThatTheyDidNotKnow() {
        metadataAgeSeconds = 6;

        assertThat(failures())
                .hasSize(3)
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(TimeoutException.class)
                        .hasMessageContaining("the brokers do not answer any more")
                        .hasNoCause());
    }

    private List<Throwable> failures() {
        return List.of(
                catchThrowable(() -> metadata.partitionsOf("shop")),
                catchThrowable(() -> metadata.newestPartitionsOf("shop")),
                catchThrowable(() -> metadata.partitionsOfMissing("shop")));
    }
}
