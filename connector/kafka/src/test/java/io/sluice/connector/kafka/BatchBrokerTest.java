package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.BrokerConnection;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.kafka.batch.BatchBuffers;
import io.sluice.connector.kafka.produce.Cluster;
import io.sluice.connector.kafka.produce.FormerIdentity;
import io.sluice.connector.kafka.produce.ProduceOptions;
import io.sluice.connector.kafka.settings.KafkaSettings;
import io.sluice.connector.kafka.settings.KafkaSettingsReader;
import io.sluice.connector.kafka.topic.TopicMetadata;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchBrokerTest {
    @ParameterizedTest
    @CsvSource({"0, 1024", "1, 1024", "32, 1024", "33, 1056", "64, 2048", "256, 8192", "2147483647, 8192"})
    void moreEntriesArePreparedForMorePartitions(int batches, int kibibytes) {
        assertThat(BatchBroker.preparedBytesFor(batches)).isEqualTo(kibibytes << 10);
    }

    /** They may come after the loop has ended by it, with nothing in a queue that could tell it. */
    @Test
    @Timeout(300)
    void messagesAfterARejectedLoginTellIt() throws InterruptedException {
        BatchBroker broker = unconnected();
        broker.topics().requirePartition(new OnePartition(), "shop", 0);
        AtomicReference<BrokerConnection> made = new AtomicReference<>();
        Attempt attempt = new Attempt(next -> {
            made.set(broker.connect(next));
            return made.get();
        });
        attempt.end(new SaslAuthenticationException("wrong password"));
        broker.close(Duration.ofMinutes(1)); // when the loop has ended
        List<String> answers = Collections.synchronizedList(new ArrayList<>());

        assertThat(made.get()
                        .send(broker.prepare(List.of(message(), message())), List.of(noting(answers), noting(answers))))
                .isTrue();

        assertThat(answers).containsExactly("BROKEN NotAdmittedException", "BROKEN NotAdmittedException");
    }

    private static Message message() {
        return new Message("shop", 0, new byte[10]);
    }

    private static DeliveryCallback noting(List<String> answers) {
        return new DeliveryCallback() {
            @Override
            public void delivered() {
                answers.add("delivered");
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                answers.add(kind + " " + cause.getClass().getSimpleName());
            }
        };
    }

    private static BatchBroker unconnected() {
        KafkaSettings settings = KafkaSettingsReader.read(Map.of("kafka.bootstrap.servers", "127.0.0.1:1"));
        HandTime time = new HandTime();
        return new BatchBroker(
                () -> Cluster.open(new ProducerConfig(settings.config()), ProduceOptions.MAX_IN_FLIGHT),
                settings,
                Compression.NONE,
                BatchBuffers.forHeap(1 << 20),
                new FormerIdentity<>(),
                new ProducerContext("shop", Ownership.SOLE),
                time);
    }

    private static final class OnePartition implements TopicMetadata {
        @Override
        public int partitionsOf(String topic) {
            return 1;
        }

        @Override
        public int newestPartitionsOf(String topic) {
            return 1;
        }

        @Override
        public int partitionsOfMissing(String topic) {
            return 1;
        }
    }
}
