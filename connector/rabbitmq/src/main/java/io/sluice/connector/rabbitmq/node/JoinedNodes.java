package io.sluice.connector.rabbitmq.node;

import io.sluice.connector.rabbitmq.settings.Address;
import io.sluice.connector.rabbitmq.settings.RabbitSettings;
import io.sluice.protocol.time.Time;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds whether nodes are joined: what is declared at one of them is known to those of its cluster. A node that has lost its disk is a cluster of its own, and one that is cut off accepts connections until it
 * notices.
 *
 * <p>That two nodes are not joined does not show which of them is cut off. A node is left only for others that are joined to each other without it, and are more than half of all: so two nodes never send an
 * instance to each other. An answer that is none, such as that a right is missing, proves neither. For one thread at a time.
 */
public final class JoinedNodes {
    /**
     * Why a message must wait.
     *
     * @param next the node to connect to; null to stay
     */
    public record Apart(String reason, @Nullable Address next) {}

    private static final String NOT_KNOWN = "whether all nodes are joined is not known: ";

    private final RabbitSettings settings;
    private final NodeAsker asker;
    private final Time time;

    /** Asks nothing yet. */
    public JoinedNodes(RabbitSettings settings, NodeAsker asker, Time time) {
        this.settings = settings;
        this.asker = asker;
        this.time = time;
    }

    /** A node that has not answered whether it knows a queue. */
    private record Open(Address node, BrokerAnswer answer) {
        String cause() {
            return answer.causeOfAnother(node, ProbeQueue.NAMES);
        }
    }

    /**
     * What nodes have answered that were asked for a queue.
     *
     * @param open the first one that has not answered; null if all have
     */
    private record Answers(
            List<Address> joined,
            List<Address> apart,
            @Nullable Open open) {}

    private static Answers answers(ProbeQueue queue, List<Address> nodes) {
        List<Address> joined = new ArrayList<>();
        List<Address> apart = new ArrayList<>();
        Open open = null;
        for (Address node : nodes) {
            BrokerAnswer answer = queue.find(node);
            if (ProbeQueue.isKnown(answer)) {
                joined.add(node);
            } else if (ProbeQueue.isUnknown(answer)) {
                apart.add(node);
            } else if (open == null) {
                open = new Open(node, answer);
            }
        }
        return new Answers(joined, apart, open);
    }

    private static List<Address> without(List<Address> nodes, List<Address> others) {
        return nodes.stream().filter(node -> !others.contains(node)).toList();
    }

    /**
     * Asks before something is declared at a node that no node has. Returns why it must not be declared there: the node may be a cluster of its own. Null if it may be, since all others are joined to it, or
     * so many that they are more than half with it.
     *
     * @param others that have the same as the node; what is joined to it has that
     */
    public @Nullable Apart beforeDeclaring(Address here, List<Address> others) {
        ProbeQueue queue = new ProbeQueue(asker, here, time);
        BrokerAnswer declared = queue.declare();
        if (!declared.isDone()) {
            return new Apart(NOT_KNOWN + declared.cause(here, ProbeQueue.NAMES), null);
        }
        Answers answers = answers(queue, others);
        if (!queue.delete()) {
            return new Apart("%s has not answered as it should".formatted(here.hostAndPort()), null);
        }
        List<Address> rest = without(others, answers.joined());
        if (rest.isEmpty() || settings.isMoreThanHalf(1 + answers.joined().size())) {
            return null;
        }
        return notDeclared(here, answers, rest);
    }

    /** @param rest the nodes that are not known to be joined to {@code here} */
    private Apart notDeclared(Address here, Answers answers, List<Address> rest) {
        Open open = answers.open();
        if (answers.apart().isEmpty() && open != null) {
            return new Apart(
                    "it is at no node, and whether all nodes are joined is not known, so it is not declared: "
                            + open.cause(),
                    null);
        }
        String text = "it is at no node, and what is declared at %s is not known to %s"
                .formatted(here.hostAndPort(), answers.apart().get(0).hostAndPort());
        List<Address> left = rest;
        for (Address node : answers.apart()) {
            if (left.contains(node) && settings.isMoreThanHalf(left.size())) {
                Answers there = declaredAt(node, without(left, List.of(node)));
                if (settings.isMoreThanHalf(1 + there.joined().size())) {
                    return new Apart(
                            "%s, which more than half of the nodes are joined to, connecting to that node; join %s to them"
                                    .formatted(text, here.hostAndPort()),
                            node);
                }
                if (there.open() == null) { // so these are all of its cluster
                    left = without(without(left, there.joined()), List.of(node));
                }
                open = open == null ? there.open() : open;
            }
        }
        return new Apart(
                "%s, so it is not declared; wait until they are joined again, or check that all addresses of rabbitmq.host are of one cluster%s"
                        .formatted(
                                text,
                                open == null
                                        ? ""
                                        : "; whether %s is joined to the others is not known: %s"
                                                .formatted(open.node().hostAndPort(), open.cause())),
                null);
    }

    private Answers declaredAt(Address node, List<Address> others) {
        ProbeQueue queue = new ProbeQueue(asker, node, time);
        BrokerAnswer declared = queue.declare();
        if (!declared.isDone()) {
            return new Answers(List.of(), List.of(), new Open(node, declared));
        }
        Answers answers = answers(queue, others);
        queue.delete();
        return answers;
    }

    /** Returns why a node may have queues that {@code here} does not reach; null if they are joined. */
    public @Nullable Apart ofQueuesAt(Address node, Address here) {
        ProbeQueue queue = new ProbeQueue(asker, node, time);
        BrokerAnswer declared = queue.declare();
        return switch (declared.kind()) {
            case DONE -> ofQueuesAt(node, here, queue);
            case UNREACHABLE, NONE ->
                new Apart(
                        "it may have a queue on a node that is down: "
                                + declared.causeOfAnother(node, ProbeQueue.NAMES),
                        null);
            case REJECTED ->
                new Apart(
                        "it may have a queue on a node that cannot be asked: " + declared.cause(node, ProbeQueue.NAMES),
                        null);
            default -> new Apart(NOT_KNOWN + declared.cause(node, ProbeQueue.NAMES), null);
        };
    }

    private @Nullable Apart ofQueuesAt(Address node, Address here, ProbeQueue queue) {
        BrokerAnswer answer = queue.find(here);
        List<Address> joined = ProbeQueue.isUnknown(answer)
                ? answers(queue, without(settings.others(here), List.of(node))).joined()
                : List.of();
        boolean wasThere = queue.delete();
        if (ProbeQueue.isKnown(answer)) {
            return null;
        }
        if (!ProbeQueue.isUnknown(answer)) {
            return new Apart(NOT_KNOWN + answer.cause(here, ProbeQueue.NAMES), null);
        }
        if (!wasThere) {
            return new Apart("%s%s has not answered as it should".formatted(NOT_KNOWN, node.hostAndPort()), null);
        }
        String text =
                "it may have a queue on a node that is cut off: %s is up, but what is declared there is not known to %s, which was sent to"
                        .formatted(node.hostAndPort(), here.hostAndPort());
        if (!settings.isMoreThanHalf(1 + joined.size())) {
            return new Apart(
                    text
                            + "; wait until they are joined again, or check that all addresses of rabbitmq.host are of one cluster",
                    null);
        }
        Address next = joined.get(0);
        return new Apart(
                "%s, and is known to %s, connecting to that node; join %s to them"
                        .formatted(text, next.hostAndPort(), here.hostAndPort()),
                next);
    }
}
