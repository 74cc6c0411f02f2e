package io.sluice.connector.kafka;

import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.kafka.batch.BatchBuffers;
import io.sluice.connector.kafka.settings.KafkaSettingsReader;
import io.sluice.connector.kafka.settings.LocalOptions;
import io.sluice.protocol.time.Time;
import java.util.List;
import java.util.Map;

/** The connector for {@code canal.serverMode=kafka}. */
public final class KafkaConnector implements Connector {
    /** Shared by all producers of the process. */
    private final BatchBuffers buffers =
            BatchBuffers.forHeap(Runtime.getRuntime().maxMemory());

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public MessageProducerFactory configure(Map<String, String> properties) {
        return new KafkaProducerFactory(
                KafkaSettingsReader.read(properties), buffers, new FormerIdentities(), Time.SYSTEM);
    }

    @Override
    public List<String> localKeys(Map<String, String> properties) {
        return LocalOptions.keysIn(properties);
    }
}
