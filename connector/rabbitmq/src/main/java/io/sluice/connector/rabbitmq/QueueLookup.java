package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.Connection;
import io.sluice.protocol.time.Time;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
final class QueueLookup implements UnroutableMessages.Lookup {
    /** The connection whose messages are asked for. */
    interface Asked {
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

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** How often the node is asked for what was declared at another one, which it may learn a little later. */
    private static final int TRIES = 5;

    private static final String IS_THERE_NOW = "queue %s is there now";
    private static final String LOST = "the connection is lost";

    /** What the queues are named that are declared to ask for. */
    static final String MARKS = "^sluice\\.producer\\..*";

    private final RabbitSettings settings;
    private final Asked asked;
    private final Time time;
    private final NodeConnections nodes;

    /** Of other nodes that have not answered, or not let us in. */
    private final Map<Address, Unanswered> unanswered = new HashMap<>();

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
        for (Address other : settings.addresses().stream().distinct().toList()) {
            if (other.equals(asked.node())) {
                continue;
            }
            BrokerAnswer answer = askAnother(other, queue);
            switch (answer.kind()) {
                case DONE, LOCKED, UNUSABLE -> {
                    String reason = apartness(other);
                    return reason == null
                            ? IS_THERE_NOW.formatted(queue)
                            : "queue %s exists at %s, but not at %s, which was sent to: %s"
                                    .formatted(queue, other.hostAndPort(), hostAndPort(asked.node()), reason);
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
        return "whether queue %s exists is not known: %s".formatted(queue, answer.cause(asked.node(), "it"));
    }

    /** Another node may reach the home of a queue that this one does not. It must be joined to this one, or the queue may be one of that name in another cluster. */
    private String down(String queue, BrokerAnswer answer) {
        String apart = "";
        for (Address other : settings.addresses()) {
            if (!other.equals(asked.node()) && isThere(queue, other)) {
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
        Connection open = asked.connection();
        Address node = asked.node();
        if (open == null || node == null || !open.isOpen()) {
            return BrokerAnswer.notAsked(LOST);
        }
        BrokerAnswer answer = nodes.ask(node, open.getAddress(), channel -> channel.queueDeclarePassive(queue));
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
            asked.leaveNode("%s has not answered a question".formatted(hostAndPort(asked.node())), null);
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
        if (settings.addresses().size() > 1) {
            for (Address node : settings.addresses()) {
                String reason = node.equals(asked.node()) ? null : apartness(node);
                if (reason != null) {
                    return reason;
                }
            }
        }
        return isLost() ? LOST : null;
    }

    private boolean isLost() {
        Connection open = asked.connection();
        return open == null || !open.isOpen();
    }

    /**
     * Declares a queue at a node, and asks the node that has returned the message for it: a node that is cut off from the others still accepts connections until it
     * notices, and the others do not know then what is declared there.
     */
    private @Nullable String apartness(Address node) {
        String mark = Fence.PREFIX + UUID.randomUUID();
        BrokerAnswer declared =
                nodes.ask(node, null, channel -> channel.queueDeclare(mark, false, true, false, Map.of()));
        return switch (declared.kind()) {
            case DONE -> {
                String reason = unknownThere(node, mark);
                nodes.delete(node, mark);
                yield reason;
            }
            case UNREACHABLE, NONE ->
                "it may have a queue on a node that is down: " + declared.causeOfAnother(node, MARKS);
            case REJECTED -> "it may have a queue on a node that cannot be asked: " + declared.cause(node, MARKS);
            default -> notKnown(node, declared);
        };
    }

    /** Why the node that was sent to does not know what was declared at another one; null if it does. */
    private @Nullable String unknownThere(Address node, String mark) {
        for (int i = 0; i < TRIES; i++) {
            BrokerAnswer answer = confirmed(mark, ask(mark));
            switch (answer.kind()) {
                case DONE, LOCKED -> {
                    return null;
                }
                case MISSING, UNUSABLE -> {
                    if (!pause()) {
                        return "interrupted while asking";
                    }
                }
                default -> {
                    return notKnown(asked.node(), answer);
                }
            }
        }
        return cutOff(node, mark);
    }

    /** Another node than the one that has returned the message may have answered then. */
    private boolean isOfOtherHost() {
        Connection open = asked.connection();
        Address node = asked.node();
        InetAddress host = open == null ? null : open.getAddress();
        return node == null || host == null || !nodes.isAt(node, host);
    }

    /**
     * The node that has returned the message and another one are not joined, and one of them may be a cluster of its own, as is a node that has lost its disk. The node is left only for
     * more than half of all, which are joined to each other: it is cut off then, or is the one that has lost its disk.
     */
    private String cutOff(Address node, String mark) {
        List<Address> joined = settings.addresses().stream()
                .distinct()
                .filter(other -> !other.equals(node) && !other.equals(asked.node()) && knows(mark, other))
                .toList();
        String text =
                "it may have a queue on a node that is cut off: %s is up, but what is declared there is not known to %s, which was sent to"
                        .formatted(node.hostAndPort(), hostAndPort(asked.node()));
        if (!settings.isMoreThanHalf(joined.size() + 1)) {
            return text
                    + "; wait until they are joined again, or check that all addresses of rabbitmq.host are of one cluster";
        }
        Address next = joined.get(0);
        asked.leaveNode(
                "it is cut off from %s, which %s reaches".formatted(node.hostAndPort(), next.hostAndPort()), next);
        return "%s, and is known to %s, connecting to that node; join %s to them"
                .formatted(text, next.hostAndPort(), hostAndPort(asked.node()));
    }

    private boolean knows(String mark, Address node) {
        return switch (nodes.ask(node, null, channel -> channel.queueDeclarePassive(mark))
                .kind()) {
            case DONE, LOCKED -> true;
            default -> false;
        };
    }

    private static String notKnown(@Nullable Address node, BrokerAnswer answer) {
        return "whether all nodes are joined is not known: " + answer.cause(node, MARKS);
    }

    private static String hostAndPort(@Nullable Address node) {
        return node == null ? "the node" : node.hostAndPort();
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

    /** Asks no node any more, also in an answer that is being made. {@link #close} must follow. Thread-safe. */
    void stop() {
        nodes.stop();
    }

    /** Closes all of them for good; for the thread that asks. */
    void close() {
        nodes.close();
    }
}
