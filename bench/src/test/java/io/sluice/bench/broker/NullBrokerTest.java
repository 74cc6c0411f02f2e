package io.sluice.bench.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class NullBrokerTest {
    private static final int RECORDS = 5_000;

    @ParameterizedTest
    @ValueSource(strings = {"none", "zstd"})
    void countsTheRecordsOfEachPartition(String compression) throws Exception {
        try (NullBroker broker = new NullBroker(0)) {
            broker.create("t", 7);

            List<Future<RecordMetadata>> answers = new ArrayList<>();
            Map<String, Object> settings = Map.of(
                    ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                    "127.0.0.1:" + broker.port(),
                    ProducerConfig.COMPRESSION_TYPE_CONFIG,
                    compression);
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
                assertThat(producer.partitionsFor("t")).hasSize(7);
                for (int i = 0; i < RECORDS; i++) {
                    answers.add(producer.send(new ProducerRecord<>("t", i % 6, null, new byte[100])));
                    answers.add(producer.send(new ProducerRecord<>("t", 6, null, new byte[100])));
                }
            }

            for (int i = 0; i < RECORDS; i++) {
                assertThat(answers.get(2 * i).get().offset()).isEqualTo(i / 6);
                assertThat(answers.get(2 * i + 1).get().offset()).isEqualTo(i);
            }
            assertThat(broker.partitions("t").stream().mapToLong(Partition::records))
                    .containsExactly(834L, 834L, 833L, 833L, 833L, 833L, 5000L);
            assertThat(broker.partitions("t"))
                    .allSatisfy(one -> assertThat(one.bytes()).isPositive());
            assertThat(broker.errors()).isEmpty();
        }
    }
}
