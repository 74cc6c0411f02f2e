package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import java.io.IOException;
import java.util.Map;

/**
 * The queue, exchange and binding that are declared before messages are sent, as canal does: the queue if it is named; the exchange and the binding if all of queue,
 * exchange, type and routing key are named. An exchange that is not declared must be there.
 *
 * @param exchange empty for the broker's own, which leads each message to the queue that has the topic's name
 * @param queue empty for none
 * @param type the exchange's, such as {@code direct}; empty if it is not declared
 * @param routingKey the binding's; messages have their topic there
 */
record Topology(String exchange, String queue, String type, String routingKey) {
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
            step(connection, "rabbitmq.queue", queue, c -> c.queueDeclare(queue, true, false, false, Map.of()));
        }
        if (declaresExchange()) {
            step(connection, "rabbitmq.exchange", exchange, c -> c.exchangeDeclare(exchange, type, true));
            step(connection, "rabbitmq.routingKey", routingKey, c -> c.queueBind(queue, exchange, routingKey));
        } else if (!exchange.isEmpty()) {
            step(connection, "rabbitmq.exchange", exchange, c -> c.exchangeDeclarePassive(exchange));
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
            FailureKind kind = switch (RabbitErrors.codeOf(e)) {
                case AMQP.ACCESS_REFUSED, AMQP.NOT_FOUND -> FailureKind.TOPIC_UNAVAILABLE;
                case AMQP.PRECONDITION_FAILED, AMQP.COMMAND_INVALID -> FailureKind.BROKEN;
                default -> FailureKind.PASSING;
            };
            throw new SendException(kind, "%s=%s: %s".formatted(key, value, RabbitErrors.textOf(e)), e);
        }
    }
}
