package io.sluice.connector.rabbitmq;

import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.rabbitmq.settings.RabbitSettingsReader;
import io.sluice.connector.rabbitmq.settings.TlsOptions;
import io.sluice.protocol.time.Time;
import java.util.List;
import java.util.Map;

/** The connector for {@code canal.serverMode=rabbitMQ}. */
public final class RabbitConnector implements Connector {
    private final Time time;

    /** Makes what the server uses. */
    public RabbitConnector() {
        this(Time.SYSTEM);
    }

    /** Makes a connector whose producers measure limits by other clocks. */
    RabbitConnector(Time time) {
        this.time = time;
    }

    @Override
    public String name() {
        return "rabbitmq";
    }

    @Override
    public MessageProducerFactory configure(Map<String, String> properties) {
        return new RabbitProducerFactory(RabbitSettingsReader.read(properties), time);
    }

    @Override
    public boolean knows(String key) {
        return RabbitSettingsReader.KEYS.knows(key);
    }

    @Override
    public List<String> localKeys(Map<String, String> properties) {
        return TlsOptions.FILES.stream()
                .filter(key -> !properties.getOrDefault(key, "").isBlank())
                .toList();
    }
}
