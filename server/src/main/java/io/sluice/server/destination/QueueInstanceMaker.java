package io.sluice.server.destination;

import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.ServerConfig;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.instance.DestinationState;
import io.sluice.server.instance.FailureListener;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceWiring;
import io.sluice.server.instance.SharedPools;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Makes instances whose entries are sent to a message queue, each with a producer of its own. Thread-safe. */
public final class QueueInstanceMaker implements InstanceMaker {
    private final ServerConfig server;
    private final MessageProducerFactory producers;
    private final DestinationStates states;
    private final InstanceWiring wiring;
    private final FailureListener onFailure;

    /**
     * Creates one for a server.
     *
     * @param producers makes a producer for each instance
     * @param onFailure is told which instances cannot continue
     */
    public QueueInstanceMaker(
            ServerConfig server,
            MessageProducerFactory producers,
            DestinationStates states,
            SharedPools pools,
            FailureListener onFailure) {
        this.server = server;
        this.producers = producers;
        this.states = states;
        this.wiring = new InstanceWiring(pools);
        this.onFailure = onFailure;
    }

    @Override
    public Instance make(InstanceConfig config, OwnershipTerm term) {
        states.paceHome(config.destination()).keep(config, term);
        DestinationState state = states.of(config.destination());
        MessageProducer producer = producers.create(properties(config, state, term), term.ownership());
        try {
            return wiring.sending(config, server.mq(), term, state, producer, onFailure);
        } catch (RuntimeException | Error e) {
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    private Map<String, String> properties(InstanceConfig config, DestinationState state, OwnershipTerm term) {
        Map<String, String> properties = new HashMap<>(server.producerProperties());
        properties.put(MessageProducerFactory.DESTINATION, config.destination());
        if (producers.usesDeployment()) {
            properties.put(MessageProducerFactory.DEPLOYMENT, state.deployment().id(config.cursor(), term));
        }
        return properties;
    }
}
