package io.sluice.testkit.rocketmq;

import io.sluice.testkit.broker.BrokerRecord;
import io.sluice.testkit.broker.GatedBroker;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.proxy.Gate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.rocketmq.common.message.MessageExt;

/** A RocketMQ broker with a gate in front of it; its name server is reached directly, and never fails. */
public final class RocketMqBroker extends GatedBroker<RocketMqServer> {
    /** Where the gate listens, on the broker's port, which all clients get from the name server. */
    private static final String GATE_ADDRESS = "127.0.0.2";

    private final RocketMqReader counter;

    private RocketMqBroker(RocketMqServer server, Gate gate) {
        super(server, gate);
        this.counter = server().reader();
    }

    /** Starts a broker with the defaults. */
    public static RocketMqBroker start() {
        return start(RocketMqOptions.defaults());
    }

    /** Starts a broker and returns when it answers. */
    public static RocketMqBroker start(RocketMqOptions options) {
        int port = FreePorts.next();
        Gate gate = new Gate(GATE_ADDRESS, port, () -> port);
        try {
            return new RocketMqBroker(RocketMqServer.start(options.viaGate(GATE_ADDRESS, port)), gate);
        } catch (RuntimeException e) {
            gate.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return "rocketmq";
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "canal.serverMode",
                "rocketMQ",
                "rocketmq.namesrv.addr",
                server().nameServer(),
                "rocketmq.producer.group",
                "test",
                "rocketmq.send.timeout.ms",
                "60000"); // what is late on a slow machine would be sent twice
    }

    @Override
    public Map<String, String> shortTimeouts() {
        return Map.of("rocketmq.send.timeout.ms", "1500");
    }

    @Override
    public void createTopic(String topic, int partitions) {
        server().createTopic(topic, partitions);
    }

    @Override
    public long delivered(String topic) {
        return counter.count(topic);
    }

    @Override
    public void read(String topic, Consumer<BrokerRecord> receiver, BooleanSupplier condition, Duration atMost) {
        try (RocketMqReader reader = server().reader()) {
            reader.read(topic, message -> receiver.accept(recordOf(message)), condition, atMost);
        }
    }

    private static BrokerRecord recordOf(MessageExt message) {
        String keys = message.getKeys();
        return new BrokerRecord(
                message.getTopic(),
                message.getQueueId(),
                message.getQueueOffset(),
                keys == null ? null : keys.getBytes(StandardCharsets.UTF_8),
                message.getBody(),
                message.getProperties());
    }

    @Override
    public void close() {
        counter.close();
        super.close();
    }
}
