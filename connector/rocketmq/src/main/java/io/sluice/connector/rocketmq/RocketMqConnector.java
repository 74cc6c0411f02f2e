package io.sluice.connector.rocketmq;

import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.route.BrokerPartitions;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The connector for {@code canal.serverMode=rocketMQ}. */
public final class RocketMqConnector implements Connector {
    private final Duration missingTopicGrace;
    private final Duration routeInterval;
    private final Time time;

    /** Makes what the server uses. */
    public RocketMqConnector() {
        this(MissingTopics.GRACE, BrokerPartitions.INTERVAL, Time.SYSTEM);
    }

    /**
     * Makes a connector whose producers wait for other times.
     *
     * @param missingTopicGrace after which a topic is taken for missing
     * @param routeInterval after which the name servers are asked again which queues topics have
     */
    RocketMqConnector(Duration missingTopicGrace, Duration routeInterval, Time time) {
        this.missingTopicGrace = missingTopicGrace;
        this.routeInterval = routeInterval;
        this.time = time;
    }

    @Override
    public String name() {
        return "rocketmq";
    }

    @Override
    public MessageProducerFactory configure(Map<String, String> properties) {
        return new RocketMqProducerFactory(
                RocketMqSettingsReader.read(properties), missingTopicGrace, routeInterval, time);
    }

    @Override
    public boolean knows(String key) {
        return RocketMqSettingsReader.KEYS.knows(key);
    }

    /** No key of this connector names a file. */
    @Override
    public List<String> localKeys(Map<String, String> properties) {
        return List.of();
    }
}
