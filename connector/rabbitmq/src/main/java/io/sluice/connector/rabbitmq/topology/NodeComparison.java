package io.sluice.connector.rabbitmq.topology;

import com.rabbitmq.client.Connection;
import io.sluice.connector.rabbitmq.node.BrokerAnswer;
import io.sluice.connector.rabbitmq.node.JoinedNodes;
import io.sluice.connector.rabbitmq.node.NodeAsker;
import io.sluice.connector.rabbitmq.node.NodeConnections;
import io.sluice.connector.rabbitmq.node.ProbeQueue;
import io.sluice.connector.rabbitmq.settings.Address;
import io.sluice.connector.rabbitmq.settings.RabbitSettings;
import io.sluice.protocol.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the node that is connected to has of what messages need with what each other node has, when something is missing at the first. The nodes of one cluster have the same.
 * A node is left only for one that has all that it has, and more; or, before something is declared that no node has, for those that have the same and are more than half of all nodes, joined to each other without
 * it. So two nodes never send an instance to each other. For one use, by one thread.
 */
final class NodeComparison {
    private final RabbitSettings settings;
    private final NodeConnections connections;
    private final Connection connection;
    private final Address here;
    private final List<Need> needs;
    private final List<Need> missing;
    private final BooleanSupplier isWanted;
    private final Time time;

    /**
     * Asks nothing yet.
     *
     * @param connections to the other nodes
     * @param connection to the node, over which it has answered
     * @param needs with the answers of that node; one or more are missing
     * @param isWanted whether the answer still counts
     */
    NodeComparison(
            RabbitSettings settings,
            NodeConnections connections,
            Connection connection,
            Address here,
            List<Need> needs,
            BooleanSupplier isWanted,
            Time time) {
        this.settings = settings;
        this.connections = connections;
        this.connection = connection;
        this.here = here;
        this.needs = needs;
        this.missing = needs.stream().filter(Need::isMissing).toList();
        this.isWanted = isWanted;
        this.time = time;
    }

    /** Asks, and returns why something that is missing may be at another node, or must not be declared here; null if it is missing there, too, and may be declared. */
    @Nullable Doubt doubt() {
        List<Need> there =
                needs.stream().filter(need -> !missing.contains(need)).toList();
        Doubt more = null;
        Doubt unlike = null;
        Doubt unknown = null;
        List<Address> same = new ArrayList<>();
        for (Address other : settings.others(here)) {
            List<Need> found = new ArrayList<>();
            Doubt open = find(other, found);
            boolean hasAsMuch = found.containsAll(there);
            Need first = missing.stream().filter(found::contains).findFirst().orElse(null);
            if (first != null && hasAsMuch) {
                Doubt leaving = leaving(first, other);
                if (found.size() == needs.size()) {
                    return leaving;
                }
                more = first(more, leaving);
            } else if (open != null) {
                unknown = first(unknown, open);
            } else if (first != null) {
                unlike = first(unlike, unlike(first, other, there));
            } else if (hasAsMuch) {
                same.add(other);
            }
        }
        Doubt doubt = first(more, first(unlike, unknown));
        if (doubt != null || same.isEmpty()) {
            return doubt;
        }
        Need declared = missing.stream().filter(Need::isDeclared).findFirst().orElse(null);
        return declared == null ? null : notJoined(declared, same);
    }

    /** Why what no node has is not declared here; null if it may be. Another node that has less than the others is the cluster of its own. */
    private @Nullable Doubt notJoined(Need need, List<Address> same) {
        JoinedNodes.Apart apart = new JoinedNodes(settings, new Asker(), time).beforeDeclaring(here, same);
        return apart == null ? null : new Doubt(need, apart.next(), apart.reason());
    }

    /** Asks the node over the connection of the messages, of which none is sent yet. */
    private final class Asker implements NodeAsker {
        @Override
        public BrokerAnswer declare(Address node, String queue) {
            return ask(node, ProbeQueue.declaration(queue));
        }

        @Override
        public BrokerAnswer find(Address node, String queue) {
            return ask(node, channel -> channel.queueDeclarePassive(queue));
        }

        @Override
        public boolean delete(Address node, String queue) {
            return node.equals(here)
                    ? BrokerAnswer.to(connection, channel -> channel.queueDelete(queue))
                            .isDone()
                    : connections.delete(node, queue);
        }
    }

    private static @Nullable Doubt first(@Nullable Doubt one, @Nullable Doubt other) {
        return one == null ? other : one;
    }

    private static Doubt leaving(Need need, Address other) {
        return new Doubt(
                need,
                other,
                "it exists at %s, connecting to that node; check that all addresses of rabbitmq.host are of one cluster"
                        .formatted(other.hostAndPort()));
    }

    private Doubt unlike(Need need, Address other, List<Need> there) {
        return new Doubt(
                need,
                null,
                "it exists at %s, and %s only at %s, which are not of one cluster: join them, or delete what is at the wrong one"
                        .formatted(
                                other.hostAndPort(),
                                String.join(" ", there.stream().map(Need::named).toList()),
                                here.hostAndPort()));
    }

    /**
     * Asks another node for all, those that are missing first. One that does not answer is not asked again.
     *
     * @return why it is not known of one of them
     */
    private @Nullable Doubt find(Address other, List<Need> found) {
        List<Need> ordered = new ArrayList<>(missing);
        needs.stream().filter(need -> !missing.contains(need)).forEach(ordered::add);
        Doubt open = null;
        for (Need need : ordered) {
            BrokerAnswer answer = ask(other, need.passive());
            switch (answer.kind()) {
                case DONE, LOCKED, UNUSABLE -> found.add(need);
                case MISSING -> {}
                default -> {
                    open = first(open, unknown(need, other, answer));
                    if (!answer.keepsConnection()) {
                        return open;
                    }
                }
            }
        }
        return open;
    }

    private Doubt unknown(Need need, Address other, BrokerAnswer answer) {
        boolean isMissing = missing.contains(need);
        return new Doubt(
                isMissing ? need : missing.get(0),
                null,
                "whether %s exists at %s is not known: %s"
                        .formatted(
                                isMissing ? "it" : need.named(),
                                other.hostAndPort(),
                                answer.causeOfAnother(other, need.name())));
    }

    private BrokerAnswer ask(Address node, BrokerAnswer.Question question) {
        if (node.equals(here)) {
            return BrokerAnswer.to(connection, question);
        }
        return isWanted.getAsBoolean()
                ? connections.ask(node, null, question)
                : BrokerAnswer.notAsked("closed meanwhile");
    }
}
