package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the broker for the queues of messages that it has returned: it tells one that does not exist from one whose node it does not reach. It knows by name the queue
 * of a topic at its own exchange, and the queue that is declared. Which other queues an exchange has it does not say, so all nodes must be joined to it then. For one thread at a time.
 */
final class QueueLookup implements UnroutableMessages.Lookup {
    /** The connection whose messages are asked for. */
    interface Asked {
        /** Null before it is made. */
        @Nullable Connection connection();

        /** The address that it was made to; null if that is not known. */
        @Nullable Address node();

        /** Whether the broker reads nothing from it for want of memory or disk. */
        boolean isBlocked();

        /**
         * A question over it has not been answered.
         *
         * @param isNodeLeft whether the next connection is to be to another node
         */
        void unanswered(String why, boolean isNodeLeft);
    }

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** How often the node is asked for what was declared at another one, which it may learn a little later. */
    private static final int TRIES = 5;

    private static final String LOST = "the connection is lost";

    private final RabbitSettings settings;
    private final Asked asked;
    private final Time time;
    private final NodeConnections nodes;

    /** Asks nothing yet. */
    QueueLookup(RabbitSettings settings, Asked asked, Time time) {
        this.settings = settings;
        this.asked = asked;
        this.time = time;
        this.nodes = new NodeConnections(settings, time);
    }

    @Override
    public Map<String, String> unreachable(Set<String> topics) {
        Map<String, String> found = new HashMap<>();
        if (!settings.topology().exchange().isEmpty()) {
            String ofAll = ofOtherExchange();
            if (ofAll != null) {
                topics.forEach(topic -> found.put(topic, ofAll));
            }
            return found;
        }
        String reason = null;
        for (String topic : topics) {
            if (reason == null) { // those after it may be of the same node, and count as it does
                reason = ofQueue(topic);
            }
            if (reason != null) {
                found.put(topic, reason);
            }
        }
        return found;
    }

    private @Nullable String ofOtherExchange() {
        String queue = settings.topology().queue();
        if (!queue.isEmpty()) {
            BrokerAnswer answer = ask(queue);
            String reason = switch (answer.code()) {
                case AMQP.REPLY_SUCCESS, AMQP.ACCESS_REFUSED, AMQP.RESOURCE_LOCKED ->
                    null; // it may be another queue's message
                case AMQP.NOT_FOUND -> answer.isMissing() ? null : down(queue, answer);
                default -> unknown(queue, answer);
            };
            if (reason != null) {
                return reason;
            }
        }
        return nodeThatIsApart();
    }

    /** Why the queue may be there; null if it is not. */
    private @Nullable String ofQueue(String queue) {
        BrokerAnswer answer = ask(queue);
        return switch (answer.code()) {
            case AMQP.REPLY_SUCCESS -> "queue %s is there now".formatted(queue);
            case AMQP.NOT_FOUND -> answer.isMissing() ? null : down(queue, answer);
            case AMQP.ACCESS_REFUSED -> nodeThatIsApart();
            default -> unknown(queue, answer);
        };
    }

    private static String unknown(String queue, BrokerAnswer answer) {
        return "whether queue %s exists is not known: %s".formatted(queue, answer.text());
    }

    private static String down(String queue, BrokerAnswer answer) {
        return "queue %s exists, start its node: %s".formatted(queue, answer.text());
    }

    /**
     * Asks over the connection of the messages, which is given up if it does not answer. A broker that blocks it reads no question until the block is over: then it is
     * asked. If it became blocked during a question, it is given up when the block is over, since a channel waits for the answer.
     */
    private BrokerAnswer ask(String queue) {
        Connection open = asked.connection();
        if (open == null) {
            return BrokerAnswer.none("not connected");
        }
        long begin = time.nanos();
        if (!awaitUnblocked(open, begin)) {
            return blockedForTooLong();
        }
        BrokerAnswer answer = BrokerAnswer.to(open, channel -> channel.queueDeclarePassive(queue));
        if (answer.isGiven()) {
            return answer;
        }
        boolean isBlocked = asked.isBlocked();
        if (isBlocked && !awaitUnblocked(open, begin)) {
            return blockedForTooLong();
        }
        asked.unanswered(answer.text(), !isBlocked);
        return answer;
    }

    /** Returns false after the time for which the broker may block. */
    private boolean awaitUnblocked(Connection open, long begin) {
        while (asked.isBlocked() && open.isOpen()) {
            if (time.nanos() - begin >= settings.blockTimeout().toNanos() || !pause()) {
                return false;
            }
        }
        return true;
    }

    private BrokerAnswer blockedForTooLong() {
        asked.unanswered(RabbitErrors.BLOCKED, true);
        return BrokerAnswer.none(RabbitErrors.BLOCKED);
    }

    /** Why a node may have queues that the one which has returned the message does not reach; null if none does. One address is that node. */
    private @Nullable String nodeThatIsApart() {
        if (settings.addresses().size() == 1) {
            return null;
        }
        for (Address node : settings.addresses()) {
            String reason = node.equals(asked.node()) ? null : apartness(node);
            if (reason != null || isLost()) {
                return reason == null ? LOST : reason;
            }
        }
        return null;
    }

    private boolean isLost() {
        Connection open = asked.connection();
        return open == null || !open.isOpen();
    }

    /**
     * Declares a queue at a node, and asks for it over the connection of the message: a node that is cut off from the others still accepts connections until it
     * notices, and the others do not know then what is declared there.
     */
    private @Nullable String apartness(Address node) {
        String mark = Fence.PREFIX + UUID.randomUUID();
        String reason;
        try {
            Connection other = nodes.to(node);
            BrokerAnswer declared =
                    BrokerAnswer.to(other, channel -> channel.queueDeclare(mark, false, true, false, Map.of()));
            reason = switch (declared.code()) {
                case AMQP.REPLY_SUCCESS -> unknownThere(node, mark);
                case AMQP.ACCESS_REFUSED -> null; // it is up, and no more can be found
                default -> declared.isGiven() ? refusal(node, declared.text()) : silent(node, declared.text());
            };
            if (declared.code() == AMQP.REPLY_SUCCESS) {
                nodes.delete(node, mark);
            } else if (reason != null) {
                nodes.drop(node);
            }
        } catch (SendException e) { // of files of ours, before the node is connected to
            reason = notKnown(String.valueOf(e.getMessage()));
        } catch (IOException | TimeoutException | RuntimeException e) {
            reason = notConnected(node, e);
        }
        return reason;
    }

    /** A node at a limit of connections is up, and no more can be found; what else a broker refuses is an error of the configuration, or a sign of another cluster. */
    private static @Nullable String notConnected(Address node, Exception failure) {
        if (RabbitErrors.isConnectionLimit(failure)) {
            return null;
        }
        SendException why = RabbitErrors.connecting(failure, node);
        return why.getCause() instanceof NotAdmittedException || RabbitErrors.codeOf(failure) != 0
                ? refusal(node, String.valueOf(why.getMessage()))
                : silent(node, RabbitErrors.textOf(failure));
    }

    /** Why the node that was sent to does not know what was declared at another one; null if it does. */
    private @Nullable String unknownThere(Address node, String mark) {
        for (int i = 0; i < TRIES; i++) {
            BrokerAnswer answer = ask(mark);
            switch (answer.code()) {
                case AMQP.REPLY_SUCCESS, AMQP.RESOURCE_LOCKED, AMQP.ACCESS_REFUSED -> {
                    return null; // the last one: no more can be found
                }
                case AMQP.NOT_FOUND -> {
                    if (!pause()) {
                        return "interrupted while asking";
                    }
                }
                default -> {
                    return notKnown(answer.text());
                }
            }
        }
        return cutOff(node);
    }

    private static String notKnown(String cause) {
        return "whether all nodes are joined is not known: " + cause;
    }

    private boolean pause() {
        try {
            time.sleep(PAUSE);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether connections to other nodes are kept. */
    boolean keepsConnections() {
        return nodes.isAnyOpen();
    }

    /** Closes those that have not been used for a while; for the thread that asks. */
    void closeIdle() {
        nodes.closeIdle();
    }

    /** Closes all of them for good; for the thread that asks. */
    void close() {
        nodes.close();
    }

    private static String silent(Address node, String cause) {
        return "it may have a queue on a node that is down: %s does not answer, start it, or remove it from rabbitmq.host: %s"
                .formatted(node.hostAndPort(), cause);
    }

    private static String refusal(Address node, String cause) {
        return "it may have a queue on a node that cannot be asked: %s is up, but refuses, correct that, or remove it from rabbitmq.host: %s"
                .formatted(node.hostAndPort(), cause);
    }

    private static String cutOff(Address node) {
        return "it may have a queue on a node that is cut off: %s is up, but what is declared there is not known to the node that was sent to;"
                        .formatted(node.hostAndPort())
                + " wait until they are joined again, or check that all addresses of rabbitmq.host are of one cluster";
    }
}
