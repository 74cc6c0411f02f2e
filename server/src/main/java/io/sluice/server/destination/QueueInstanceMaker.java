package io.sluice.server.destination;

import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.server.MqConfig;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.instance.DestinationState;
import io.sluice.server.instance.FailureListener;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceWiring;
import io.sluice.server.instance.ProducerClose;
import io.sluice.server.instance.SharedPools;
import java.time.Duration;

/** Makes instances whose entries are sent to a message queue, each with a producer of its own. Thread-safe. */
public final class QueueInstanceMaker implements InstanceMaker {
    private final MqConfig delivery;
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
            MqConfig delivery,
            MessageProducerFactory producers,
            DestinationStates states,
            SharedPools pools,
            FailureListener onFailure) {
        this.delivery = delivery;
        this.producers = producers;
        this.states = states;
        this.wiring = new InstanceWiring(pools);
        this.onFailure = onFailure;
    }

    @Override
    public Instance make(InstanceConfig config, OwnershipTerm term) {
        states.paceHome(config.destination()).keep(config, term);
        DestinationState state = states.of(config.destination());
        String deployment = producers.usesDeployment() ? state.deployment().id(config.cursor(), term) : "";
        MessageProducer producer =
                producers.create(new ProducerContext(config.destination(), deployment, term.ownership()));
        try {
            return wiring.sending(config, delivery, term, state, producer, onFailure);
        } catch (RuntimeException | Error e) {
            closeAfter(e, config.destination(), producer);
            throw e;
        }
    }

    private static void closeAfter(Throwable failure, String destination, MessageProducer producer) {
        try {
            ProducerClose.close(destination, producer, Duration.ZERO);
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }
}
