package io.sluice.testkit.canal;

import io.sluice.testkit.process.ChildJvm;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.rocketmq.RocketMqServer;
import java.util.List;
import java.util.UUID;

/** canal's published Java client of RocketMQ, in a process of its own, which reads a topic of one queue from its beginning. */
public final class CanalRocketMqClient extends CanalQueueClient {
    private static final String PROGRAM = "io.sluice.testkit.canalclient.RocketMqClient";

    private final RocketMqServer server;
    private final String topic;

    /** Reads nothing yet. */
    public CanalRocketMqClient(RocketMqServer server, String topic) {
        this.server = server;
        this.topic = topic;
    }

    @Override
    List<String> read(boolean flat, String lastTable) {
        return ChildJvm.run(
                Folders.servers().resolve("canal-client"),
                PROGRAM,
                List.of(server.nameServer(), topic, "canal-" + UUID.randomUUID(), Boolean.toString(flat), lastTable));
    }
}
