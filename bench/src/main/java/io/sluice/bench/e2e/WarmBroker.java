package io.sluice.bench.e2e;

import io.sluice.bench.bridge.Compression;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Warms up a broker, so that its JVM has compiled the code that appends records before the first run is measured. On a machine that
 * both share this is seconds of processor time.
 */
final class WarmBroker {
    private static final String TOPIC = "warm-up";
    private static final int RECORD_BYTES = 16 * 1024;
    private static final int RECORDS_OF_A_SIZE = 8 * 1024;

    private WarmBroker() {}

    /** Sends 256 MiB with each compression in small and in large batches to a topic that is deleted afterwards. */
    static void warm(Target broker, List<Compression> compressions) {
        Topics topic = broker.createTopics(List.of(TOPIC), 3);
        try (topic) {
            for (Compression compression : compressions) {
                for (int batchBytes : List.of(RECORD_BYTES, 1_000_000)) {
                    send(broker.bootstrapServers(), compression.spelled(), batchBytes);
                }
            }
        }
    }

    private static void send(String bootstrapServers, String compression, int batchBytes) {
        Map<String, Object> settings = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                ProducerConfig.COMPRESSION_TYPE_CONFIG, compression,
                ProducerConfig.BATCH_SIZE_CONFIG, batchBytes);
        byte[] value = new byte[RECORD_BYTES];
        new Random(1).nextBytes(value);
        Arrays.fill(value, 0, RECORD_BYTES / 2, (byte) 'x');
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS_OF_A_SIZE; i++) {
                // a broker that rejects records fails the first run
                Future<RecordMetadata> unused = producer.send(new ProducerRecord<>(TOPIC, i % 3, null, value));
            }
        }
    }
}
