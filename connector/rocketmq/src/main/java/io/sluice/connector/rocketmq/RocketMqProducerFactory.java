package io.sluice.connector.rocketmq;

import io.sluice.connector.api.attempt.AttemptProducer;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.List;
import org.apache.rocketmq.client.exception.MQClientException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes RocketMQ producers by one set of settings.
 *
 * @param missingTopicGrace after which a topic is taken for missing
 * @param routeInterval after which the name servers are asked again which queues topics have
 */
record RocketMqProducerFactory(RocketMqSettings settings, Duration missingTopicGrace, Duration routeInterval, Time time)
        implements MessageProducerFactory {
    private static final Logger LOG = LoggerFactory.getLogger(RocketMqProducerFactory.class);

    @Override
    public MessageProducer create(ProducerContext context) {
        settings.corrections().forEach(correction -> LOG.warn("RocketMQ option: {}", correction));
        try {
            return new AttemptProducer(
                    new RocketMqBroker(client(), settings, context.ownership(), time), context.ownership(), time);
        } catch (MQClientException e) {
            throw new ProducerConfigException(
                    List.of(new ConfigProblem("rocketmq.*", String.valueOf(e.getErrorMessage()))));
        }
    }

    @Override
    public void probe(String destination, List<TopicNeed> topics, Duration limit, Findings findings)
            throws InterruptedException {
        try (RocketMqClient client = client()) {
            new RocketMqProbe(client.queries(), settings, findings).run(topics);
        } catch (MQClientException e) {
            findings.failed("connection", String.valueOf(e.getErrorMessage()), "check rocketmq.*");
        }
    }

    private RocketMqClient client() throws MQClientException {
        return new RocketMqClient(settings, new MissingTopics(missingTopicGrace, time), routeInterval);
    }
}
