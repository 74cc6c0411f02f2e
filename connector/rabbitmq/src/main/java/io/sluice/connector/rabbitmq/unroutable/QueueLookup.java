package io.sluice.connector.rabbitmq.unroutable;

import com.rabbitmq.client.Connection;
import io.sluice.connector.rabbitmq.failure.RabbitErrors;
import io.sluice.connector.rabbitmq.node.BrokerAnswer;
import io.sluice.connector.rabbitmq.node.JoinedNodes;
import io.sluice.connector.rabbitmq.node.Khepri;
import io.sluice.connector.rabbitmq.node.NodeAsker;
import io.sluice.connector.rabbitmq.node.NodeConnections;
import io.sluice.connector.rabbitmq.node.ProbeQueue;
import io.sluice.connector.rabbitmq.settings.Address;
import io.sluice.connector.rabbitmq.settings.RabbitSettings;
import io.sluice.protocol.time.Time;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks the broker for the queues of messages that it has returned: it tells one that does not exist from one whose node it does not reach. It knows by name the queue
 * of a topic at its own exchange, and the queue that is declared. Which other queues an exchange has it does not say, so all nodes must be joined to it then. Only an answer
 * that there is no such queue, or that a node is joined, proves anything: not that a right is missing or a limit is reached. For one thread at a time.
 *
 * <p>A question goes over a connection of its own first, since a rejection such as that of a limit may close it. Behind a load balancer that one may be to another node than
 * the one that has returned the message. So with another exchange, before a message counts as one that no queue takes, that node is asked over the connection of the messages.
 */
public final class QueueLookup implements UnroutableMessages.Lookup {
    /** The connection whose messages are asked for. */
    public interface Asked {
        /** Null before it is made. */
        @Nullable Connection connection();

        /** The address that it was made to; null if that is not known. */
        @Nullable Address node();

        /**
         * Another node may reach queues that this one does not: the next connection is to be to another one, when all messages of this one are answered.
         *
         * @param next to which; null for any
         */
        void leaveNode(String why, @Nullable Address next);
    }

    /** Why a node has not answered, and when. */
    private record Unanswered(BrokerAnswer answer, long nanos) {}

    /** How long a node that has not answered is not asked again for a queue that others do not have: connecting to it holds up each message that no queue takes. */
    private static final Duration REST = Duration.ofSeconds(10);

    private static final String IS_THERE_NOW = "queue %s is there now";
    private static final String LOST = "the connection is lost";

    private final RabbitSettings settings;
    private final Asked asked;
    private final Time time;
    private final NodeConnections nodes;
    private final JoinedNodes joined;

    /** Of other nodes that have not answered, or not let us in. */
    private final Map<Address, Unanswered> unanswered = new HashMap<>();

    /** Asks nothing yet. */
    public QueueLookup(RabbitSettings settings, Asked asked, Time time) {
        this.settings = settings;
        this.asked = asked;
        this.time = time;
        this.nodes = new NodeConnections(settings, time);
        this.joined = new JoinedNodes(settings, new Asker(), time);
    }

    /** Asks the node that has returned a message, and others. */
    private final class Asker implements NodeAsker {
        @Override
        public BrokerAnswer declare(Address node, String queue) {
            return nodes.ask(node, null, ProbeQueue.declaration(queue));
        }

        @Override
        public BrokerAnswer find(Address node, String queue) {
            return node.equals(here())
                    ? confirmed(queue, ask(queue))
                    : nodes.ask(node, null, channel -> channel.queueDeclarePassive(queue));
        }

        @Override
        public boolean delete(Address node, String queue) {
            return nodes.delete(node, queue);
        }
    }

    @Override
    public Map<String, String> unreachable(Set<String> topics) {
        Map<String, String> found = new HashMap<>();
        if (asked.node() == null) {
            topics.forEach(topic -> found.put(topic, LOST));
            return found;
        }
        if (!settings.topology().exchange().isEmpty()) {
            String ofAll = ofOtherExchange();
            if (ofAll != null) {
                topics.forEach(topic -> found.put(topic, ofAll));
            }
            return found;
        }
        String reason = cutOff();
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

    /** Several nodes may come together again, and a node with Khepri learns of a queue after its client. */
    @Override
    public boolean mayBeLate() {
        Connection open = asked.connection();
        return settings.addresses().size() > 1 || open != null && Khepri.mayBeUsedBy(open);
    }

    /**
     * Why the node may not know of all queues: with Khepri, one that does not reach more than half of the nodes keeps its connections, and answers by what it knew before. It declares nothing. Null
     * if it does, or may not use Khepri, or if the user may declare nothing there.
     */
    private @Nullable String cutOff() {
        Connection open = asked.connection();
        if (open == null || !Khepri.mayBeUsedBy(open)) {
            return null;
        }
        String queue = ProbeQueue.PREFIX + UUID.randomUUID();
        BrokerAnswer answer = ask(ProbeQueue.declaration(queue));
        return switch (answer.kind()) {
            case DONE -> {
                nodes.delete(here(), queue);
                yield null;
            }
            case UNREACHABLE, NONE, NOT_READY, NOT_ASKED ->
                "%s may not know of all queues, since it declares none; it may be cut off from the others: %s"
                        .formatted(here().hostAndPort(), answer.text());
            case FORBIDDEN -> RabbitErrors.mayBeOfBackend(answer.text()) ? notKnown(answer) : null;
            case LIMIT, REJECTED, LOCKED, MISSING, UNUSABLE -> notKnown(answer);
        };
    }

    private String notKnown(BrokerAnswer answer) {
        return "whether %s knows of all queues is not known, since it declares none: %s"
                .formatted(here().hostAndPort(), answer.cause(here(), ProbeQueue.NAMES));
    }

    /** The node that has returned the messages. */
    private Address here() {
        return Objects.requireNonNull(asked.node());
    }

    private @Nullable String ofOtherExchange() {
        String queue = settings.topology().queue();
        if (!queue.isEmpty()) {
            BrokerAnswer answer = confirmed(queue, ask(queue));
            String reason = switch (answer.kind()) {
                case DONE, LOCKED, MISSING -> null; // it may be another queue's message
                case UNUSABLE -> down(queue, answer);
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
        BrokerAnswer first = ask(queue);
        BrokerAnswer answer = first.isMissing() && isOfOtherHost() ? confirmed(queue, first) : first;
        return switch (answer.kind()) {
            case DONE, LOCKED -> IS_THERE_NOW.formatted(queue);
            case MISSING -> ofOtherCluster(queue);
            case UNUSABLE -> down(queue, answer);
            default -> unknown(queue, answer);
        };
    }

    /**
     * A node that has lost its disk is a cluster of its own, and has no queues. So a queue is missing only if more than half of the nodes say so, and none has it: one that is down then is of the same
     * cluster as another one that was asked.
     */
    private @Nullable String ofOtherCluster(String queue) {
        int missing = 1;
        String unknown = null;
        for (Address other : settings.others(here())) {
            BrokerAnswer answer = askAnother(other, queue);
            switch (answer.kind()) {
                case DONE, LOCKED, UNUSABLE -> {
                    String reason = apartness(other);
                    return reason == null
                            ? IS_THERE_NOW.formatted(queue)
                            : "queue %s exists at %s, but not at %s, which was sent to: %s"
                                    .formatted(queue, other.hostAndPort(), here().hostAndPort(), reason);
                }
                case MISSING -> missing++;
                default ->
                    unknown = "whether queue %s exists at %s is not known: %s"
                            .formatted(queue, other.hostAndPort(), answer.causeOfAnother(other, "it"));
            }
        }
        if (unknown != null && !settings.isMoreThanHalf(missing)) {
            return unknown;
        }
        return isLost() ? LOST : null;
    }

    private BrokerAnswer askAnother(Address other, String queue) {
        Unanswered before = unanswered.get(other);
        if (before != null && time.nanos() - before.nanos <= REST.toNanos()) {
            return before.answer;
        }
        BrokerAnswer answer = nodes.ask(other, null, channel -> channel.queueDeclarePassive(queue));
        if (answer.keepsConnection()) {
            unanswered.remove(other);
        } else {
            unanswered.put(other, new Unanswered(answer, time.nanos()));
        }
        return answer;
    }

    private String unknown(String queue, BrokerAnswer answer) {
        return "whether queue %s exists is not known: %s".formatted(queue, answer.cause(here(), "it"));
    }

    /** Another node may reach the home of a queue that this one does not. It must be joined to this one, or the queue may be one of that name in another cluster. */
    private String down(String queue, BrokerAnswer answer) {
        String apart = "";
        for (Address other : settings.others(here())) {
            if (isThere(queue, other)) {
                String reason = apartness(other);
                if (reason == null) {
                    asked.leaveNode("queue %s is reached from %s".formatted(queue, other.hostAndPort()), other);
                    return "queue %s exists, and is reached from %s, connecting to that node: %s"
                            .formatted(queue, other.hostAndPort(), answer.text());
                }
                apart = "; %s has a queue of this name, but: %s".formatted(other.hostAndPort(), reason);
            }
        }
        return "queue %s exists, start its node: %s%s".formatted(queue, answer.text(), apart);
    }

    private boolean isThere(String queue, Address node) {
        return nodes.ask(node, null, channel -> channel.queueDeclarePassive(queue))
                .isDone();
    }

    /** Asks the node that has returned the message. */
    private BrokerAnswer ask(String queue) {
        return ask(channel -> channel.queueDeclarePassive(queue));
    }

    private BrokerAnswer ask(BrokerAnswer.Question question) {
        Connection open = asked.connection();
        if (open == null || !open.isOpen()) {
            return BrokerAnswer.notAsked(LOST);
        }
        Address node = here();
        BrokerAnswer answer = nodes.ask(node, open.getAddress(), question);
        switch (answer.kind()) {
            case UNREACHABLE, NONE, NOT_READY ->
                leaveNode("%s does not answer questions".formatted(node.hostAndPort()));
            default -> {}
        }
        return answer;
    }

    /**
     * The answer of the very node that has returned the message, if that to a connection of its own does not make the message wait already. The connection of the messages has
     * a channel for it, unless the broker allows no more. A question that is not answered keeps it, so the connection is given up then.
     */
    private BrokerAnswer confirmed(String queue, BrokerAnswer first) {
        switch (first.kind()) {
            case DONE, LOCKED, MISSING -> {}
            default -> {
                return first;
            }
        }
        Connection open = asked.connection();
        if (open == null || !open.isOpen()) {
            return BrokerAnswer.notAsked(LOST);
        }
        BrokerAnswer answer = BrokerAnswer.to(open, channel -> channel.queueDeclarePassive(queue));
        if (!open.isOpen()) {
            return BrokerAnswer.notAsked(LOST + ": " + answer.text());
        }
        if (answer.kind() == BrokerAnswer.Kind.NONE) {
            asked.leaveNode("%s has not answered a question".formatted(here().hostAndPort()), null);
        }
        return answer;
    }

    private void leaveNode(String why) {
        if (settings.addresses().size() > 1) {
            asked.leaveNode(why, null);
        }
    }

    /** Why a node may have queues that the one which has returned the message does not reach; null if none does. One address is that node. */
    private @Nullable String nodeThatIsApart() {
        List<Address> others = settings.others(here());
        for (Address node : others) {
            String reason = apartness(node);
            if (reason != null) {
                return reason;
            }
        }
        String reason = others.isEmpty() ? cutOff() : null;
        if (reason == null && others.isEmpty()) {
            reason = cutOffBehindTheAddress();
        }
        if (reason != null) {
            return reason;
        }
        return isLost() ? LOST : null;
    }

    /**
     * Why the very node that has returned the message may not know of all queues: the address may lead to several nodes, of which another one has answered before. The connection is given up then, and the
     * next one may be to another node; not at a limit of channels, which each connection has. Null as with {@link #cutOff}.
     */
    private @Nullable String cutOffBehindTheAddress() {
        Connection open = asked.connection();
        if (open == null || !Khepri.mayBeUsedBy(open)) {
            return null;
        }
        String queue = ProbeQueue.PREFIX + UUID.randomUUID();
        BrokerAnswer answer = BrokerAnswer.to(open, channel -> {
            ProbeQueue.declaration(queue).ask(channel);
            channel.queueDelete(queue);
        });
        boolean isRightMissing =
                answer.kind() == BrokerAnswer.Kind.FORBIDDEN && !RabbitErrors.mayBeOfBackend(answer.text());
        if (answer.isDone() || isRightMissing) {
            return null;
        }
        if (answer.kind() != BrokerAnswer.Kind.LIMIT) {
            asked.leaveNode(
                    "the node behind %s that has returned a message does not declare a queue"
                            .formatted(here().hostAndPort()),
                    null);
        }
        return notKnown(answer);
    }

    /** Why a node may have queues that the one which has returned the message does not reach, which is left then if it is the one that is cut off; null if they are joined. */
    private @Nullable String apartness(Address node) {
        JoinedNodes.Apart apart = joined.ofQueuesAt(node, here());
        if (apart == null) {
            return null;
        }
        Address next = apart.next();
        if (next != null) {
            asked.leaveNode(
                    "it is cut off from %s, which %s reaches".formatted(node.hostAndPort(), next.hostAndPort()), next);
        }
        return apart.reason();
    }

    private boolean isLost() {
        Connection open = asked.connection();
        return open == null || !open.isOpen();
    }

    /** Another node than the one that has returned the message may have answered then. */
    private boolean isOfOtherHost() {
        Connection open = asked.connection();
        InetAddress host = open == null ? null : open.getAddress();
        return host == null || !nodes.isAt(here(), host);
    }

    /** Whether connections to other nodes are kept. */
    public boolean keepsConnections() {
        return nodes.isAnyOpen();
    }

    /** Closes those that have not been used for a while; for the thread that asks. */
    public void closeIdle() {
        nodes.closeIdle();
    }

    /** Asks no node any more, also in an answer that is being made. {@link #close} must follow. Thread-safe. */
    public void stop() {
        nodes.stop();
    }

    /** Closes all of them for good; for the thread that asks. */
    public void close() {
        nodes.close();
    }
}
