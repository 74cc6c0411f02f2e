package io.sluice.bench.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NullServerIT {
    private static final int PARTITIONS = 7;
    private static final int RECORDS = 5_000;

    @Test
    void countsTheRecordsOfEachPartition() throws Exception {
        List<TopicPartition> partitions = IntStream.range(0, PARTITIONS)
                .mapToObj(number -> new TopicPartition("t", number))
                .toList();
        try (NullServer server = NullServer.start(0)) {
            Map<String, Object> settings =
                    Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:" + server.port());
            try (Admin admin = Admin.create(settings)) {
                NewTopic topic = new NewTopic("t", Optional.of(PARTITIONS), Optional.empty());
                admin.createTopics(List.of(topic)).all().get();
                send(settings, "none");
                send(settings, "zstd");

                assertThat(ends(settings, partitions))
                        .isEqualTo(partitions.stream()
                                .collect(Collectors.toMap(
                                        partition -> partition,
                                        partition -> 2L * RECORDS * (partition.partition() + 1))));
                assertThat(admin.describeLogDirs(List.of(1))
                                .allDescriptions()
                                .get()
                                .get(1)
                                .get("none")
                                .replicaInfos())
                        .containsOnlyKeys(partitions)
                        .allSatisfy((partition, replica) ->
                                assertThat(replica.size()).isPositive());
                admin.deleteTopics(List.of("t")).all().get();
                assertThat(admin.listTopics().names().get()).isEmpty();
            }
            assertThat(server.errors()).isEmpty();
        }
    }

    private static void send(Map<String, Object> settings, String compression) throws Exception {
        Map<String, Object> more = new HashMap<>(settings);
        more.put("compression.type", compression);
        Future<RecordMetadata> last = null;
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(more, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    for (int copy = 0; copy <= partition; copy++) {
                        last = producer.send(new ProducerRecord<>("t", partition, null, new byte[100]));
                    }
                }
            }
        }
        assertThat(last.get().partition()).isEqualTo(PARTITIONS - 1);
    }

    private static Map<TopicPartition, Long> ends(Map<String, Object> settings, List<TopicPartition> partitions) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            return consumer.endOffsets(partitions);
        }
    }
}
