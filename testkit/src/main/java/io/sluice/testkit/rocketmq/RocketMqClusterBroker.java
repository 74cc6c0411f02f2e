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

/**
 * Two RocketMQ brokers, the second of which has a gate in front of it: that one is stopped, frozen or cut off, and the first one and the name server never
 * fail. Topics have the same queues at all times, half of them on each broker.
 */
public final class RocketMqClusterBroker extends GatedBroker<RocketMqServer> {
    /** Where the gate listens, on the broker's port, which all clients are told by the name server. */
    private static final String GATE_ADDRESS = "127.0.0.2";

    /** More than a topic has on a broker. */
    private static final int MAX_QUEUES = 1000;

    private final RocketMqCluster cluster;
    private final RocketMqReader counter;

    private RocketMqClusterBroker(RocketMqCluster cluster, RocketMqServer second, Gate gate) {
        super(second, gate);
        this.cluster = cluster;
        this.counter = cluster.reader();
    }

    /** Starts both brokers and returns when they answer. */
    public static RocketMqClusterBroker start() {
        int port = FreePorts.next();
        Gate gate = new Gate(GATE_ADDRESS, port, () -> port);
        RocketMqCluster cluster = RocketMqCluster.start(1);
        try {
            return new RocketMqClusterBroker(cluster, cluster.addViaGate(GATE_ADDRESS, port), gate);
        } catch (RuntimeException e) {
            cluster.close();
            gate.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return "rocketmqs";
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "canal.serverMode",
                "rocketMQ",
                "rocketmq.namesrv.addr",
                cluster.nameServer(),
                "rocketmq.producer.group",
                "test");
    }

    @Override
    public Map<String, String> shortTimeouts() {
        return Map.of("rocketmq.send.timeout.ms", "1500");
    }

    /** @param partitions how many queues the topic has on each broker */
    @Override
    public void createTopic(String topic, int partitions) {
        cluster.createOrderedTopic(topic, partitions);
    }

    @Override
    public long delivered(String topic) {
        return counter.count(topic);
    }

    @Override
    public void read(String topic, Consumer<BrokerRecord> receiver, BooleanSupplier condition, Duration atMost) {
        try (RocketMqReader reader = cluster.reader()) {
            reader.read(topic, message -> receiver.accept(recordOf(message)), condition, atMost);
        }
    }

    private static BrokerRecord recordOf(MessageExt message) {
        String keys = message.getKeys();
        int ofBroker = message.getBrokerName().endsWith("a") ? 0 : MAX_QUEUES;
        return new BrokerRecord(
                message.getTopic(),
                ofBroker + message.getQueueId(),
                message.getQueueOffset(),
                keys == null ? null : keys.getBytes(StandardCharsets.UTF_8),
                message.getBody(),
                message.getProperties());
    }

    @Override
    public void close() {
        counter.close();
        super.close();
        cluster.close();
    }
}
