package io.sluice.server;

import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.api.producer.UnbufferedProducer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Confirms everything at once, in the sending thread, unless a test has made it silent. */
final class CommandedBroker implements Connector, MessageProducerFactory {
    private final Set<String> destinations = ConcurrentHashMap.newKeySet();
    private final List<DeliveryCallback> unanswered = new ArrayList<>();
    private boolean isSilent;
    private volatile String deployment = "";

    /** The destinations of which messages have come. */
    Set<String> destinations() {
        return destinations;
    }

    /** The id of the deployment that the newest producer was made for. */
    String deployment() {
        return deployment;
    }

    /** Stops answering. */
    synchronized void fallSilent() {
        isSilent = true;
    }

    /** Answers all messages that it has received, and those to come. */
    synchronized void answer() {
        isSilent = false;
        unanswered.forEach(DeliveryCallback::delivered);
        unanswered.clear();
    }

    /** Whether messages have come that are not answered. */
    synchronized boolean hasUnanswered() {
        return !unanswered.isEmpty();
    }

    private synchronized void take(DeliveryCallback callback) {
        if (isSilent) {
            unanswered.add(callback);
        } else {
            callback.delivered();
        }
    }

    @Override
    public String name() {
        return "commanded";
    }

    @Override
    public MessageProducerFactory configure(Map<String, String> properties) {
        return this;
    }

    @Override
    public boolean usesDeployment() {
        return true;
    }

    @Override
    public MessageProducer create(ProducerContext context) {
        String destination = context.destination();
        deployment = context.deployment();
        return new UnbufferedProducer() {
            @Override
            public void send(Message message, DeliveryCallback callback) {
                destinations.add(destination);
                take(callback);
            }
        };
    }
}
