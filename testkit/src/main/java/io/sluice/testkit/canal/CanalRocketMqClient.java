package io.sluice.testkit.canal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.protocol.entry.Entry;
import io.sluice.testkit.process.ChildJvm;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.rocketmq.RocketMqServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/** canal's published Java client of RocketMQ, in a process of its own, which reads a topic of one queue from its beginning. */
public final class CanalRocketMqClient {
    private static final String PROGRAM = "io.sluice.testkit.canalclient.RocketMqClient";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RocketMqServer server;
    private final String topic;

    /** Reads nothing yet. */
    public CanalRocketMqClient(RocketMqServer server, String topic) {
        this.server = server;
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
        return ChildJvm.run(
                Folders.servers().resolve("canal-client"),
                PROGRAM,
                List.of(server.nameServer(), topic, "canal-" + UUID.randomUUID(), Boolean.toString(flat), lastTable));
    }
}
