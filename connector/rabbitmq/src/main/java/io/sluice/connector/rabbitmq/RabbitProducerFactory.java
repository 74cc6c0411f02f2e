package io.sluice.connector.rabbitmq;

import io.sluice.connector.api.attempt.AttemptProducer;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.rabbitmq.probe.RabbitProbe;
import io.sluice.connector.rabbitmq.send.RabbitBroker;
import io.sluice.connector.rabbitmq.settings.RabbitSettings;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.List;

/** Makes RabbitMQ producers by one set of settings. */
record RabbitProducerFactory(RabbitSettings settings, Time time) implements MessageProducerFactory {
    @Override
    public boolean usesDeployment() {
        return true;
    }

    @Override
    public MessageProducer create(ProducerContext context) {
        return new AttemptProducer(new RabbitBroker(settings, context, time), context.ownership(), time);
    }

    @Override
    public void probe(String destination, List<TopicNeed> topics, Duration limit, Findings findings) {
        new RabbitProbe(settings, findings).run(topics);
    }
}
