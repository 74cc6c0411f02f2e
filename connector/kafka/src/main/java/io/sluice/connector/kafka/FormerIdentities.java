package io.sluice.connector.kafka;

import io.sluice.connector.kafka.client.KeptProducerId;
import io.sluice.connector.kafka.produce.FormerIdentity;
import io.sluice.connector.kafka.produce.ProducerIdAndEpoch;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The identities that the next producers continue, by destination. Thread-safe. */
final class FormerIdentities {
    private final Map<String, FormerIdentity<ProducerIdAndEpoch>> ofBatches = new ConcurrentHashMap<>();
    private final Map<String, FormerIdentity<KeptProducerId>> ofClients = new ConcurrentHashMap<>();

    /** For a {@link BatchBroker}. */
    FormerIdentity<ProducerIdAndEpoch> ofBatches(String destination) {
        return ofBatches.computeIfAbsent(destination, name -> new FormerIdentity<>());
    }

    /** For a {@link io.sluice.connector.kafka.client.KafkaBroker}. */
    FormerIdentity<KeptProducerId> ofClients(String destination) {
        return ofClients.computeIfAbsent(destination, name -> new FormerIdentity<>());
    }
}
