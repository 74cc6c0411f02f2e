package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import java.io.IOException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue, exchange and binding that are declared before messages are sent, as canal does: the queue if it is named; the exchange and the binding if all of queue,
 * exchange, type and routing key are named. An exchange that is not declared must be there. A queue that is there keeps the arguments with which it was made, such as
 * its type: they may differ from those of a declaration.
 *
 * @param exchange empty for the broker's own, which leads each message to the queue that has the topic's name
 * @param queue empty for none
 * @param type the exchange's, such as {@code direct}; empty if it is not declared
 * @param routingKey the binding's; messages have their topic there
 */
record Topology(String exchange, String queue, String type, String routingKey) {
    private static final Logger LOG = LoggerFactory.getLogger(Topology.class);

    /** One declaration, which the broker may reject. */
    private interface Step {
        void ask(Channel channel) throws IOException;
    }

    /** Whether the exchange is declared, too. */
    boolean declaresExchange() {
        return !queue.isEmpty() && !exchange.isEmpty() && !type.isEmpty() && !routingKey.isEmpty();
    }

    /**
     * Declares it, or finds that it is there.
     *
     * @throws SendException if the broker rejects it, with the key to change
     */
    void declare(Connection connection) throws SendException {
        if (!queue.isEmpty()) {
            declareQueue(connection);
        }
        if (declaresExchange()) {
            step(connection, "rabbitmq.exchange", exchange, c -> c.exchangeDeclare(exchange, type, true));
            step(connection, "rabbitmq.routingKey", routingKey, c -> c.queueBind(queue, exchange, routingKey));
        } else if (!exchange.isEmpty()) {
            step(connection, "rabbitmq.exchange", exchange, c -> c.exchangeDeclarePassive(exchange));
        }
    }

    private void declareQueue(Connection connection) throws SendException {
        try {
            step(connection, "rabbitmq.queue", queue, c -> c.queueDeclare(queue, true, false, false, Map.of()));
        } catch (SendException e) {
            if (!RabbitErrors.isOtherArgument(e)) {
                throw e;
            }
            LOG.debug("a queue has arguments of its own: queue={} cause={}", queue, e.getMessage());
        }
    }

    /** On a channel of its own, since the broker closes it when it rejects. */
    private static void step(Connection connection, String key, String value, Step step) throws SendException {
        try {
            Channel channel = connection.createChannel();
            if (channel == null) {
                throw new IOException("the broker allows no more channels");
            }
            step.ask(channel);
            channel.abort();
        } catch (IOException | RuntimeException e) {
            boolean isMissing = RabbitErrors.isMissing(e, connection);
            FailureKind kind = switch (RabbitErrors.codeOf(e)) {
                case AMQP.ACCESS_REFUSED -> FailureKind.TOPIC_UNAVAILABLE;
                case AMQP.NOT_FOUND -> isMissing ? FailureKind.TOPIC_UNAVAILABLE : FailureKind.PASSING;
                case AMQP.PRECONDITION_FAILED, AMQP.COMMAND_INVALID -> FailureKind.BROKEN;
                default -> FailureKind.PASSING;
            };
            throw new SendException(kind, "%s=%s: %s".formatted(key, value, RabbitErrors.textOf(e)), e);
        }
    }
}
