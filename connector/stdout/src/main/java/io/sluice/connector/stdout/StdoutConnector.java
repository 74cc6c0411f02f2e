package io.sluice.connector.stdout;

import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.MessageProducerFactory;
import java.util.List;
import java.util.Map;

/** The connector for {@code canal.serverMode=stdout}. */
public final class StdoutConnector implements Connector {
    private final LineSinks sinks = new LineSinks();

    @Override
    public String name() {
        return "stdout";
    }

    @Override
    public MessageProducerFactory configure(Map<String, String> properties) {
        return new StdoutProducerFactory(StdoutSettingsReader.read(properties), sinks);
    }

    @Override
    public boolean knows(String key) {
        return StdoutSettingsReader.KEYS.knows(key);
    }

    @Override
    public List<String> localKeys(Map<String, String> properties) {
        return properties.getOrDefault(StdoutSettingsReader.FILE, "").isBlank()
                ? List.of()
                : List.of(StdoutSettingsReader.FILE);
    }
}
