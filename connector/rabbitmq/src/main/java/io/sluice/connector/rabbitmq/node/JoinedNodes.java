package io.sluice.connector.rabbitmq.node;

import io.sluice.connector.rabbitmq.settings.Address;
import io.sluice.connector.rabbitmq.settings.RabbitSettings;
import io.sluice.protocol.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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

    /** An answer of a node that proves nothing. */
    private record Open(Address node, BrokerAnswer answer) {
        String cause() {
            return answer.causeOfAnother(node, ProbeQueue.NAMES);
        }
    }

    /**
     * Which nodes know a queue.
     *
     * @param open of which nodes that is not known: one element each
     */
    private record Answers(List<Address> joined, List<Address> apart, List<Open> open) {}

    private static Answers answers(ProbeQueue queue, List<Address> nodes) {
        Answers answers = new Answers(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (Address node : nodes) {
            BrokerAnswer answer = queue.find(node);
            if (ProbeQueue.isKnown(answer)) {
                answers.joined().add(node);
            } else if (ProbeQueue.isUnknown(answer)) {
                answers.apart().add(node);
            } else {
                answers.open().add(new Open(node, answer));
            }
        }
        return answers;
    }

    /** Declares a queue, and asks others for it. If it was not declared, or is lost meanwhile, their answers prove nothing. */
    private Answers declaredAt(Address node, List<Address> others) {
        ProbeQueue queue = new ProbeQueue(asker, node, time);
        BrokerAnswer declared = queue.declare();
        if (declared.isDone()) {
            Answers answers = answers(queue, others);
            if (queue.delete()) {
                return answers;
            }
            declared = BrokerAnswer.notAsked(notAsItShould(node));
        }
        Open open = new Open(node, declared);
        return new Answers(
                List.of(), List.of(), others.stream().map(other -> open).toList());
    }

    private static String notAsItShould(Address node) {
        return "%s has not answered as it should".formatted(node.hostAndPort());
    }

    private boolean areMoreThanHalf(Answers answers) {
        return settings.isMoreThanHalf(1 + answers.joined().size());
    }

    private boolean mayBeMoreThanHalf(Answers answers) {
        return settings.isMoreThanHalf(
                1 + answers.joined().size() + answers.open().size());
    }

    private static List<Address> without(List<Address> nodes, Address one) {
        return nodes.stream().filter(node -> !node.equals(one)).toList();
    }

    /**
     * Asks before something is declared at a node that no node has. Returns why it must not be declared there: the node may be a cluster of its own. Null if it may be, since all others are joined to it, or
     * so many that they are more than half with it.
     *
     * @param others that have the same as the node, at least one; what is joined to it has that
     */
    public @Nullable Apart beforeDeclaring(Address here, List<Address> others) {
        Answers answers = declaredAt(here, others);
        return areMoreThanHalf(answers) || answers.joined().size() == others.size() ? null : notDeclared(here, answers);
    }

    private Apart notDeclared(Address here, Answers answers) {
        if (answers.apart().isEmpty()) {
            return new Apart(
                    "it is at no node, and whether all nodes are joined is not known, so it is not declared: "
                            + answers.open().get(0).cause(),
                    null);
        }
        String text = "it is at no node, and what is declared at %s is not known to %s"
                .formatted(here.hostAndPort(), answers.apart().get(0).hostAndPort());
        List<Address> left = new ArrayList<>(answers.apart()); // that may be joined to more than half of all
        answers.open().forEach(open -> left.add(open.node()));
        List<Open> openThere = new ArrayList<>();
        for (Address node : answers.apart()) {
            if (!settings.isMoreThanHalf(left.size())) {
                break;
            }
            Answers there = declaredAt(node, without(left, node));
            if (areMoreThanHalf(there)) {
                return new Apart(
                        "%s, which more than half of the nodes are joined to, connecting to that node; join %s to them"
                                .formatted(text, here.hostAndPort()),
                        node);
            }
            if (mayBeMoreThanHalf(there)) {
                openThere.addAll(there.open());
            } else {
                left.remove(node);
            }
        }
        Stream<Open> ofHere = mayBeMoreThanHalf(answers) ? answers.open().stream() : Stream.of();
        Stream<Open> ofOthers = settings.isMoreThanHalf(left.size())
                ? openThere.stream().filter(open -> left.contains(open.node()))
                : Stream.of();
        return new Apart(
                "%s, so it is not declared; wait until they are joined again, or check that all addresses of rabbitmq.host are of one cluster%s"
                        .formatted(
                                text,
                                Stream.concat(ofHere, ofOthers)
                                        .findFirst()
                                        .map(open -> "; whether %s is joined to the others is not known: %s"
                                                .formatted(open.node().hostAndPort(), open.cause()))
                                        .orElse("")),
                null);
    }

    /** Returns one of the nodes that are joined to each other without {@code here} and are more than half of all; null if none are known to be. */
    public @Nullable Address majorityWithout(Address here) {
        int joined = 1;
        for (Address node : settings.others(here)) {
            Apart apart = ofQueuesAt(node, here);
            if (apart == null) {
                joined++;
            } else if (apart.next() != null) {
                return apart.next();
            }
            if (settings.isMoreThanHalf(joined)) {
                return null;
            }
        }
        return null;
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
                ? answers(queue, without(settings.others(here), node)).joined()
                : List.of();
        boolean wasThere = queue.delete();
        if (ProbeQueue.isKnown(answer)) {
            return null;
        }
        if (!ProbeQueue.isUnknown(answer)) {
            return new Apart(NOT_KNOWN + answer.cause(here, ProbeQueue.NAMES), null);
        }
        if (!wasThere) {
            return new Apart(NOT_KNOWN + notAsItShould(node), null);
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
