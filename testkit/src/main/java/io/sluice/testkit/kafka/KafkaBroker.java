package io.sluice.testkit.kafka;

import io.sluice.testkit.broker.BrokerRecord;
import io.sluice.testkit.broker.GatedBroker;
import io.sluice.testkit.proxy.Gate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A Kafka broker with a gate in front of it. */
public final class KafkaBroker extends GatedBroker<KafkaServer> {
    private @Nullable Admin admin;

    private KafkaBroker(KafkaServer server, Gate gate) {
        super(server, gate);
    }

    /** Starts a broker with the defaults. */
    public static KafkaBroker start() {
        return start(KafkaOptions.defaults());
    }

    /** Starts a broker and returns when it answers. */
    public static KafkaBroker start(KafkaOptions options) {
        KafkaServer[] started = new KafkaServer[1];
        Gate gate = new Gate(() -> started[0].gatedPort());
        try {
            started[0] = KafkaServer.start(options.viaGate(gate.port()));
            return new KafkaBroker(started[0], gate);
        } catch (RuntimeException e) {
            gate.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("canal.serverMode", "kafka", "kafka.bootstrap.servers", "127.0.0.1:" + gate().port());
    }

    @Override
    public Map<String, String> shortTimeouts() {
        return Map.of(
                "kafka.request.timeout.ms", "2000",
                "kafka.delivery.timeout.ms", "3000",
                "kafka.max.block.ms", "2000");
    }

    @Override
    public void createTopic(String topic, int partitions) {
        server().createTopic(topic, partitions);
    }

    @Override
    public long delivered(String topic) {
        Admin admin = admin();
        try {
            TopicDescription description = Objects.requireNonNull(
                    admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic));
            List<TopicPartition> partitions = description.partitions().stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            return admin
                    .listOffsets(partitions.stream().collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest())))
                    .all()
                    .get()
                    .values()
                    .stream()
                    .mapToLong(ListOffsetsResult.ListOffsetsResultInfo::offset)
                    .sum();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Tests ask again and again how much was delivered: a new client for each question would cost more than the question. */
    private synchronized Admin admin() {
        Admin kept = admin;
        if (kept == null) {
            kept = server().admin();
            admin = kept;
        }
        return kept;
    }

    private synchronized void closeAdmin() {
        if (admin != null) {
            admin.close(Duration.ZERO);
            admin = null;
        }
    }

    @Override
    public void close() {
        closeAdmin();
        super.close();
    }

    @Override
    public void read(String topic, Consumer<BrokerRecord> receiver, BooleanSupplier condition, Duration atMost) {
        server().reader().committed().read(topic, record -> receiver.accept(recordOf(record)), condition, atMost);
    }

    private static BrokerRecord recordOf(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        record.headers()
                .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        return new BrokerRecord(
                record.topic(), record.partition(), record.offset(), record.key(), record.value(), headers);
    }
}
