package io.sluice.connector.pulsar;

import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.MessageProducerFactory;
import java.util.List;
import java.util.Map;

/** The connector for {@code canal.serverMode=pulsarMQ}. */
public final class PulsarConnector implements Connector {
    @Override
    public String name() {
        return "pulsarmq";
    }

    @Override
    public MessageProducerFactory configure(Map<String, String> properties) {
        return new PulsarProducerFactory(PulsarSettingsReader.read(properties));
    }

    @Override
    public boolean knows(String key) {
        return PulsarSettingsReader.KEYS.knows(key);
    }

    @Override
    public List<String> localKeys(Map<String, String> properties) {
        return PulsarSettingsReader.localKeys(properties);
    }
}
