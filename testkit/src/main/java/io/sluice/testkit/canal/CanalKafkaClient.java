package io.sluice.testkit.canal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.protocol.entry.Entry;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.process.ChildJvm;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** canal's published Java client of Kafka, in a process of its own, which reads a topic of one partition from its beginning. */
public final class CanalKafkaClient {
    private static final String PROGRAM = "io.sluice.testkit.canalclient.KafkaClient";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KafkaServer kafka;
    private final String topic;

    /** Reads nothing yet. */
    public CanalKafkaClient(KafkaServer kafka, String topic) {
        this.kafka = kafka;
        this.topic = topic;
    }

    /** The entries that the client finds in packets, up to an insert into the last table, {@code schema.table}. */
    public List<Entry> entriesUntil(String lastTable) {
        List<Entry> entries = new ArrayList<>();
        try {
            for (String line : read(false, lastTable)) {
                entries.add(Entry.parseFrom(Base64.getDecoder().decode(line)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return entries;
    }

    /** The flat messages that the client reads, up to a change of the last table, {@code schema.table}. */
    public List<JsonNode> messagesUntil(String lastTable) {
        List<JsonNode> messages = new ArrayList<>();
        try {
            for (String line : read(true, lastTable)) {
                messages.add(JSON.readTree(line));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return messages;
    }

    private List<String> read(boolean flat, String lastTable) {
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
