package io.sluice.testkit.canal;

import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.process.ChildJvm;
import io.sluice.testkit.process.Folders;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** canal's published Java client of Kafka, in a process of its own, which reads a topic of one partition from its beginning. */
public final class CanalKafkaClient extends CanalQueueClient {
    private static final String PROGRAM = "io.sluice.testkit.canalclient.KafkaClient";

    private final KafkaServer kafka;
    private final String topic;

    /** Reads nothing yet. */
    public CanalKafkaClient(KafkaServer kafka, String topic) {
        this.kafka = kafka;
        this.topic = topic;
    }

    @Override
    List<String> read(boolean flat, String lastTable) {
        String group = "canal-" + UUID.randomUUID();
        startAtTheBeginning(group);
        return ChildJvm.run(
                Folders.servers().resolve("canal-client"),
                PROGRAM,
                List.of(kafka.bootstrapServers(), topic, group, Boolean.toString(flat), lastTable));
    }

    /** A group that the brokers do not know begins at the end. */
    private void startAtTheBeginning(String group) {
        try (Admin admin = kafka.admin()) {
            admin.alterConsumerGroupOffsets(group, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(0)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
