package io.sluice.connector.rabbitmq.topology;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.rabbitmq.node.BrokerAnswer;
import io.sluice.connector.rabbitmq.settings.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Declares a {@link Topology} over a connection, or finds that it is there. A queue that is there keeps the arguments with which it was made, such as its type: they may differ from those of a declaration.
 *
 * <p>A right that is missing here is no verdict about a message. What may not be declared is used if it is there. What may not be asked for is used, too: the broker
 * decides with each message. For one use.
 */
public final class TopologyDeclaration {
    private static final Logger LOG = LoggerFactory.getLogger(TopologyDeclaration.class);

    private static final String EXCHANGE = "rabbitmq.exchange";
    private static final String QUEUE = "rabbitmq.queue";
    private static final String ROUTING_KEY = "rabbitmq.routingKey";

    /** The other nodes, which may have what the one that is connected to does not have: it is a cluster of its own after it has lost its disk. */
    public interface Elsewhere {
        /** Why something that is missing here may exist, or must not be declared here; null if neither. */
        @Nullable Doubt doubt(List<Need> needs);
    }

    private final Topology topology;
    private final Connection connection;
    private final String exchange;
    private final String queue;
    private final String routingKey;

    /** Declares nothing yet. */
    public TopologyDeclaration(Topology topology, Connection connection) {
        this.topology = topology;
        this.connection = connection;
        this.exchange = topology.exchange();
        this.queue = topology.queue();
        this.routingKey = topology.routingKey();
    }

    /**
     * Declares it, or finds that it is there. With several nodes all is asked for first, and nothing is declared that another one has, or may have: its readers are there.
     *
     * @param elsewhere null with one node
     * @throws SendException if the broker rejects it, with the key to change
     */
    public void declare(@Nullable Elsewhere elsewhere) throws SendException {
        if (elsewhere != null) {
            requireNoneElsewhere(elsewhere);
        }
        if (!queue.isEmpty()) {
            declareQueue();
        }
        if (topology.declaresExchange()) {
            declareExchange();
            bind();
        } else if (!exchange.isEmpty()) {
            findExchange();
        }
    }

    private void requireNoneElsewhere(Elsewhere elsewhere) throws SendException {
        List<Need> needs = new ArrayList<>();
        if (!queue.isEmpty()) {
            addKnown(needs, need(QUEUE, queue, channel -> channel.queueDeclarePassive(queue), true));
        }
        if (!exchange.isEmpty()) {
            addKnown(
                    needs,
                    need(
                            EXCHANGE,
                            exchange,
                            channel -> channel.exchangeDeclarePassive(exchange),
                            topology.declaresExchange()));
        }
        Doubt doubt = needs.stream().anyMatch(Need::isMissing) ? elsewhere.doubt(needs) : null;
        if (doubt != null) {
            Need need = doubt.need();
            throw new SendException(
                    FailureKind.PASSING,
                    "%s: %s; but %s".formatted(need.named(), need.here().text(), doubt.reason()));
        }
    }

    private Need need(String key, String name, BrokerAnswer.Question passive, boolean isDeclared) {
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

    private void declareQueue() throws SendException {
        BrokerAnswer declared =
                BrokerAnswer.to(connection, channel -> channel.queueDeclare(queue, true, false, false, Map.of()));
        if (declared.isOtherArgument()) {
            LOG.debug("a queue has arguments of its own: queue={} cause={}", queue, declared.text());
        } else {
            require(QUEUE, queue, declared, channel -> channel.queueDeclarePassive(queue));
        }
    }

    private void declareExchange() throws SendException {
        BrokerAnswer declared =
                BrokerAnswer.to(connection, channel -> channel.exchangeDeclare(exchange, topology.type(), true));
        require(EXCHANGE, exchange, declared, channel -> channel.exchangeDeclarePassive(exchange));
    }

    /** The broker does not say whether a binding is there. */
    private void bind() throws SendException {
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

    private void findExchange() throws SendException {
        BrokerAnswer found = BrokerAnswer.to(connection, channel -> channel.exchangeDeclarePassive(exchange));
        if (found.kind() == BrokerAnswer.Kind.FORBIDDEN) {
            LOG.debug(
                    "the broker does not say whether an exchange exists: exchange={} cause={}", exchange, found.text());
        } else {
            require(EXCHANGE, exchange, found);
        }
    }

    /** Of something that may be there if the user may not declare it. */
    private void require(String key, String value, BrokerAnswer declared, BrokerAnswer.Question passive)
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
