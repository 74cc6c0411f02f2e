package io.sluice.connector.rabbitmq;

import io.sluice.connector.api.attempt.AttemptProducer;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerOptions;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Makes producers for {@code canal.serverMode=rabbitMQ}. */
public final class RabbitProducerFactory implements MessageProducerFactory {
    private final Time time;

    /** Makes what the server uses. */
    public RabbitProducerFactory() {
        this(Time.SYSTEM);
    }

    /** Makes one whose producers measure limits by other clocks. */
    RabbitProducerFactory(Time time) {
        this.time = time;
    }

    @Override
    public String name() {
        return "rabbitmq";
    }

    @Override
    public List<ConfigProblem> check(Map<String, String> properties) {
        ProducerOptions options = new ProducerOptions("rabbitmq.", properties);
        RabbitSettings.read(options);
        return options.problems();
    }

    @Override
    public boolean knows(String key) {
        ProducerOptions options = new ProducerOptions("rabbitmq.", Map.of());
        RabbitSettings.read(options);
        return options.knows(key);
    }

    @Override
    public boolean usesDeployment() {
        return true;
    }

    @Override
    public MessageProducer create(Map<String, String> properties, Ownership ownership) {
        ProducerOptions options = new ProducerOptions("rabbitmq.", properties);
        RabbitSettings settings = RabbitSettings.read(options);
        if (settings == null || !options.problems().isEmpty()) {
            throw new ProducerConfigException(options.problems());
        }
        return new AttemptProducer(new RabbitBroker(settings, ownership, time), ownership, time);
    }

    @Override
    public void probe(Map<String, String> properties, List<TopicNeed> topics, Duration limit, Findings findings) {
        RabbitSettings settings = RabbitSettings.read(new ProducerOptions("rabbitmq.", properties));
        if (settings != null) { // otherwise the check of the properties has said why
            new RabbitProbe(settings, findings).run(topics);
        }
    }

    @Override
    public List<String> localKeys(Map<String, String> properties) {
        return TlsOptions.FILES.stream()
                .filter(key -> !properties.getOrDefault(key, "").isBlank())
                .toList();
    }
}
