package io.sluice.connector.kafka.settings;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The options of Kafka's producer as its client parses them, where no producer is made of them.
 *
 * <p>Each {@link ProducerConfig} without a client id takes the next of Kafka's sequence. The first producer has to be {@code producer-1}, as
 * with canal, since quotas and dashboards know it by that.
 */
final class ParsedOptions {
    private static final String ANY_ID = "none";

    private ParsedOptions() {}

    static ProducerConfig of(Map<String, ?> options) {
        Map<String, Object> identified = new HashMap<>(options);
        identified.putIfAbsent(ProducerConfig.CLIENT_ID_CONFIG, ANY_ID);
        return new ProducerConfig(identified);
    }
}
