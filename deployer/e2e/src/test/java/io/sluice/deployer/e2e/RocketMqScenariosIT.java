package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.deployer.example.PrintRocketMqChanges;
import io.sluice.protocol.entry.Entry;
import io.sluice.testkit.canal.CanalRocketMqClient;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.FlatRecords;
import io.sluice.testkit.check.RawRecords;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.rocketmq.RocketMqBroker;
import io.sluice.testkit.rocketmq.RocketMqServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** RocketMQ, in every scenario; and what canal's own client makes of what comes by it. */
class RocketMqScenariosIT extends BrokerScenarios {
    private static final int CHANGES = 300;

    RocketMqScenariosIT() {
        super(RocketMqBroker.start());
    }

    @Test
    void canalsClientAndTheExampleReadFlatMessages() throws Exception {
        String name = "rocketmq_read_flat";
        try (Pipeline pipeline = new Pipeline(mysql(), broker(), Pipeline.Mode.FLAT, name, Map.of())) {
            pipeline.server().start();
            pipeline.change(21, name, CHANGES).join();
            StateModel expected = pipeline.requireDelivered(Duplicates.FORBIDDEN, name);

            StateModel model = new StateModel(Duplicates.FORBIDDEN);
            FlatRecords records = new FlatRecords();
            List<JsonNode> messages = new CanalRocketMqClient(server(), name).messagesUntil(name + ".sluice_end");
            for (int i = 0; i < messages.size(); i++) {
                model.apply(records.read(name, 0, i, messages.get(i)));
            }
            requireSame(expected, model, name);
            requireReadableByTheExample(name);
        }
    }

    private void requireReadableByTheExample(String topic) throws Exception {
        PrintedChanges printed = new PrintedChanges();
        PrintRocketMqChanges.print(
                server().nameServer(), topic, printed.out(), () -> printed.endWithInsertInto(topic + ".sluice_end"));
        assertThat(printed.lines()).isGreaterThan(CHANGES);
    }

    @Test
    void canalsClientReadsPackets() throws Exception {
        String name = "rocketmq_read_raw";
        try (Pipeline pipeline = new Pipeline(mysql(), broker(), Pipeline.Mode.RAW, name, Map.of())) {
            pipeline.server().start();
            pipeline.change(22, name, CHANGES).join();
            StateModel expected = pipeline.requireDelivered(Duplicates.FORBIDDEN, name);

            StateModel model = new StateModel(Duplicates.FORBIDDEN);
            RawRecords records = new RawRecords();
            List<Entry> entries = new CanalRocketMqClient(server(), name).entriesUntil(name + ".sluice_end");
            for (int i = 0; i < entries.size(); i++) {
                model.apply(records.read(name, 0, i, entries.get(i)));
            }
            requireSame(expected, model, name);
        }
    }

    private RocketMqServer server() {
        return ((RocketMqBroker) broker()).server();
    }

    private void requireSame(StateModel expected, StateModel model, String schema) throws SQLException {
        assertThat(model.problems()).isEmpty();
        assertThat(model.distinctChanges()).isEqualTo(expected.distinctChanges());
        try (Connection connection = mysql().connect()) {
            StateComparison.requireEqual(ServerState.of(connection, schema), model);
        }
    }
}
