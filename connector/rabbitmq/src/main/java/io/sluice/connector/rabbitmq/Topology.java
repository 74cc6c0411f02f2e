package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue, exchange and binding that are declared before messages are sent, as canal does: the queue if it is named; the exchange and the binding if all of queue,
 * exchange, type and routing key are named. An exchange that is not declared must be there. A queue that is there keeps the arguments with which it was made, such as
 * its type: they may differ from those of a declaration.
 *
 * <p>A right that is missing here is no verdict about a message. What may not be declared is used if it is there. What may not be asked for is used, too: the broker
 * decides with each message.
 *
 * @param exchange empty for the broker's own, which leads each message to the queue that has the topic's name
 * @param queue empty for none
 * @param type the exchange's, such as {@code direct}; empty if it is not declared
 * @param routingKey the binding's; messages have their topic there
 */
record Topology(String exchange, String queue, String type, String routingKey) {
    private static final Logger LOG = LoggerFactory.getLogger(Topology.class);

    private static final String EXCHANGE = "rabbitmq.exchange";
    private static final String QUEUE = "rabbitmq.queue";
    private static final String ROUTING_KEY = "rabbitmq.routingKey";

    /**
     * A queue or an exchange that messages need, as the node has answered that is connected to.
     *
     * @param key that names it
     * @param passive asks for it
     * @param isDeclared whether it is declared if it is missing
     */
    record Need(String key, String name, BrokerAnswer.Question passive, boolean isDeclared, BrokerAnswer here) {
        boolean isMissing() {
            return here.isMissing();
        }

        /** As in the configuration. */
        String named() {
            return key + "=" + name;
        }
    }

    /** The other nodes, which may have what the one that is connected to does not have: it is a cluster of its own after it has lost its disk. */
    interface Elsewhere {
        /** Why something that is missing here may exist, or must not be declared here; null if neither. */
        OtherNodes.@Nullable Doubt doubt(List<Need> needs);
    }

    /** Whether the exchange is declared, too. */
    boolean declaresExchange() {
        return !queue.isEmpty() && !exchange.isEmpty() && !type.isEmpty() && !routingKey.isEmpty();
    }

    /**
     * Declares it, or finds that it is there. With several nodes all is asked for first, and nothing is declared that another one has, or may have: its readers are there.
     *
     * @param elsewhere null with one node
     * @throws SendException if the broker rejects it, with the key to change
     */
    void declare(Connection connection, @Nullable Elsewhere elsewhere) throws SendException {
        if (elsewhere != null) {
            requireNoneElsewhere(connection, elsewhere);
        }
        if (!queue.isEmpty()) {
            declareQueue(connection);
        }
        if (declaresExchange()) {
            declareExchange(connection);
            bind(connection);
        } else if (!exchange.isEmpty()) {
            findExchange(connection);
        }
    }

    private void requireNoneElsewhere(Connection connection, Elsewhere elsewhere) throws SendException {
        List<Need> needs = new ArrayList<>();
        if (!queue.isEmpty()) {
            addKnown(needs, need(connection, QUEUE, queue, channel -> channel.queueDeclarePassive(queue), true));
        }
        if (!exchange.isEmpty()) {
            addKnown(
                    needs,
                    need(
                            connection,
                            EXCHANGE,
                            exchange,
                            channel -> channel.exchangeDeclarePassive(exchange),
                            declaresExchange()));
        }
        OtherNodes.Doubt doubt = needs.stream().anyMatch(Need::isMissing) ? elsewhere.doubt(needs) : null;
        if (doubt != null) {
            Need need = doubt.need();
            throw new SendException(
                    FailureKind.PASSING,
                    "%s: %s; but %s".formatted(need.named(), need.here().text(), doubt.reason()));
        }
    }

    private static Need need(
            Connection connection, String key, String name, BrokerAnswer.Question passive, boolean isDeclared) {
        return new Need(key, name, passive, isDeclared, BrokerAnswer.to(connection, passive));
    }

    /** What may not be asked for is not known at any node. Without an answer nothing is declared. */
    private static void addKnown(List<Need> needs, Need need) throws SendException {
        switch (need.here().kind()) {
            case DONE, LOCKED, UNUSABLE, MISSING -> needs.add(need);
            case FORBIDDEN -> {}
            default -> require(need.key(), need.name(), need.here());
        }
    }

    private void declareQueue(Connection connection) throws SendException {
        BrokerAnswer declared =
                BrokerAnswer.to(connection, channel -> channel.queueDeclare(queue, true, false, false, Map.of()));
        if (RabbitErrors.isOtherArgument(declared)) {
            LOG.debug("a queue has arguments of its own: queue={} cause={}", queue, declared.text());
        } else {
            require(connection, QUEUE, queue, declared, channel -> channel.queueDeclarePassive(queue));
        }
    }

    private void declareExchange(Connection connection) throws SendException {
        BrokerAnswer declared = BrokerAnswer.to(connection, channel -> channel.exchangeDeclare(exchange, type, true));
        require(connection, EXCHANGE, exchange, declared, channel -> channel.exchangeDeclarePassive(exchange));
    }

    /** The broker does not say whether a binding is there. */
    private void bind(Connection connection) throws SendException {
        BrokerAnswer bound = BrokerAnswer.to(connection, channel -> channel.queueBind(queue, exchange, routingKey));
        if (bound.kind() == BrokerAnswer.Kind.FORBIDDEN) {
            throw new SendException(
                    FailureKind.PASSING,
                    "%s=%s: the user may not bind, grant write on queue %s and read on exchange %s; or bind it, and remove %s: %s"
                            .formatted(ROUTING_KEY, routingKey, queue, exchange, ROUTING_KEY, bound.text()));
        }
        if (bound.isMissing()) { // messages may have other queues
            throw new SendException(
                    FailureKind.PASSING,
                    "%s=%s: queue %s or exchange %s does not exist, and the user may not declare it, grant configure on it, or create it: %s"
                            .formatted(ROUTING_KEY, routingKey, queue, exchange, bound.text()));
        }
        require(ROUTING_KEY, routingKey, bound);
    }

    private void findExchange(Connection connection) throws SendException {
        BrokerAnswer found = BrokerAnswer.to(connection, channel -> channel.exchangeDeclarePassive(exchange));
        if (found.kind() == BrokerAnswer.Kind.FORBIDDEN) {
            LOG.debug(
                    "the broker does not say whether an exchange exists: exchange={} cause={}", exchange, found.text());
        } else {
            require(EXCHANGE, exchange, found);
        }
    }

    /** Of something that may be there if the user may not declare it. */
    private static void require(
            Connection connection, String key, String value, BrokerAnswer declared, BrokerAnswer.Question passive)
            throws SendException {
        if (declared.kind() != BrokerAnswer.Kind.FORBIDDEN) {
            require(key, value, declared);
            return;
        }
        BrokerAnswer found = BrokerAnswer.to(connection, passive);
        if (found.isMissing()) {
            throw new SendException(
                    FailureKind.PASSING,
                    "%s=%s: it does not exist, and the user may not declare it, grant configure on it, or create it: %s"
                            .formatted(key, value, declared.text()));
        }
        if (found.kind() == BrokerAnswer.Kind.FORBIDDEN) {
            LOG.debug("the broker does not say whether {} exists: name={} cause={}", key, value, found.text());
        } else {
            require(key, value, found);
        }
    }

    private static void require(String key, String value, BrokerAnswer answer) throws SendException {
        FailureKind kind = switch (answer.kind()) {
            case DONE -> null;
            case MISSING -> FailureKind.TOPIC_UNAVAILABLE; // no queue takes any message of such an exchange
            case REJECTED ->
                switch (answer.code()) {
                    case AMQP.PRECONDITION_FAILED, AMQP.COMMAND_INVALID -> FailureKind.BROKEN;
                    default -> FailureKind.PASSING;
                };
            case LIMIT, LOCKED, UNUSABLE, FORBIDDEN, NOT_READY, UNREACHABLE, NONE, NOT_ASKED -> FailureKind.PASSING;
        };
        if (kind != null) {
            throw new SendException(kind, "%s=%s: %s".formatted(key, value, answer.text()));
        }
    }
}
