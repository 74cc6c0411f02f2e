package io.sluice.connector.rocketmq;

import io.sluice.connector.api.attempt.AttemptProducer;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.route.BrokerPartitions;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.exception.MQClientException;

/** Makes producers for {@code canal.serverMode=rocketMQ}. */
public final class RocketMqProducerFactory implements MessageProducerFactory {
    private final Duration missingTopicGrace;
    private final Duration routeInterval;
    private final Time time;

    /** Makes what the server uses. */
    public RocketMqProducerFactory() {
        this(MissingTopics.GRACE, BrokerPartitions.INTERVAL, Time.SYSTEM);
    }

    /**
     * Makes one whose producers wait for other times.
     *
     * @param missingTopicGrace after which a topic is taken for missing
     * @param routeInterval after which the name servers are asked again which queues topics have
     */
    RocketMqProducerFactory(Duration missingTopicGrace, Duration routeInterval, Time time) {
        this.missingTopicGrace = missingTopicGrace;
        this.routeInterval = routeInterval;
        this.time = time;
    }

    @Override
    public String name() {
        return "rocketmq";
    }

    @Override
    public List<ConfigProblem> check(Map<String, String> properties) {
        return RocketMqSettings.of(properties).problems();
    }

    @Override
    public boolean knows(String key) {
        return SettingsReader.knows(key);
    }

    @Override
    public MessageProducer create(Map<String, String> properties, Ownership ownership) {
        RocketMqSettings.Outcome outcome = RocketMqSettings.of(properties);
        RocketMqSettings settings = outcome.settings();
        if (settings == null) {
            throw new ProducerConfigException(outcome.problems());
        }
        try {
            MissingTopics missing = new MissingTopics(missingTopicGrace, time);
            RocketMqClient client = new RocketMqClient(settings, missing, routeInterval);
            return new AttemptProducer(new RocketMqBroker(client, settings, ownership, time), ownership, time);
        } catch (MQClientException e) {
            throw new ProducerConfigException(
                    List.of(new ConfigProblem("rocketmq.*", String.valueOf(e.getErrorMessage()))));
        }
    }

    @Override
    public void probe(Map<String, String> properties, List<TopicNeed> topics, Duration limit, Findings findings)
            throws InterruptedException {
        RocketMqSettings settings = RocketMqSettings.of(properties).settings();
        if (settings == null) { // the check of the properties has said why
            return;
        }
        try (RocketMqClient client =
                new RocketMqClient(settings, new MissingTopics(missingTopicGrace, time), routeInterval)) {
            new RocketMqProbe(client, settings, findings).run(topics);
        } catch (MQClientException e) {
            findings.failed("connection", String.valueOf(e.getErrorMessage()), "check rocketmq.*");
        }
    }

    /** No key of this connector names a file. */
    @Override
    public List<String> localKeys(Map<String, String> properties) {
        return List.of();
    }
}
