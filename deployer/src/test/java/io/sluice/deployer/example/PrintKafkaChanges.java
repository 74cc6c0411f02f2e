package io.sluice.deployer.example;

import io.sluice.client.QueueMessage;
import io.sluice.client.TableChange;
import io.sluice.client.example.PrintChanges;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Prints every change of a topic, in whichever form it is: {@code PrintKafkaChanges SERVERS TOPIC}. */
public final class PrintKafkaChanges {
    private PrintKafkaChanges() {}

    public static void main(String[] args) throws IOException {
        print(args[0], args[1], System.out, () -> false);
    }

    /** Prints until it has printed enough. */
    public static void print(String servers, String topic, PrintStream out, BooleanSupplier isEnough)
            throws IOException {
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                servers,
                ConsumerConfig.GROUP_ID_CONFIG,
                "print-changes",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic));
            while (!isEnough.getAsBoolean()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    for (TableChange change : QueueMessage.read(record.value()).changes()) {
                        PrintChanges.print(change, out);
                    }
                }
                // Only now: what is not committed comes again after a crash.
                consumer.commitSync();
            }
        }
    }
}
