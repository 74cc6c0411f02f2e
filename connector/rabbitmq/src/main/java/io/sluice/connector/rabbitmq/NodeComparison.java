package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.Connection;
import io.sluice.connector.rabbitmq.OtherNodes.Doubt;
import io.sluice.connector.rabbitmq.Topology.Need;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the node that is connected to has of what messages need with what each other node has, when something is missing at the first. The nodes of one cluster have the same.
 * A node is left only for one that has all that it has, and more; or, before something is declared that no node has, for those that have the same and are more than half of all nodes, joined to each other without
 * it. So two nodes never send an instance to each other. For one use, by one thread.
 */
final class NodeComparison {
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** How often a node is asked for what was declared at another one, which it may learn a little later. */
    private static final int TRIES = 5;

    private final RabbitSettings settings;
    private final NodeConnections connections;
    private final Connection connection;
    private final Address here;
    private final List<Need> needs;
    private final List<Need> missing;
    private final BooleanSupplier isWanted;
    private final Time time;

    /** Why it is not known whether a node is joined; null if all have answered. */
    private @Nullable String unanswered;

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
        for (Address other : others()) {
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

    private List<Address> others() {
        return settings.addresses().stream()
                .filter(other -> !other.equals(here))
                .distinct()
                .toList();
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

    /**
     * Why what no node has is not declared here: others that have the same are not joined to this node, which may be a cluster of its own. Null if it may be: another one that has less is that cluster.
     *
     * @param same the other nodes that have the same
     */
    private @Nullable Doubt notJoined(Need need, List<Address> same) {
        unanswered = null;
        String mark = Fence.PREFIX + UUID.randomUUID();
        BrokerAnswer declared =
                BrokerAnswer.to(connection, channel -> channel.queueDeclare(mark, false, true, false, Map.of()));
        if (!declared.isDone()) {
            return new Doubt(
                    need,
                    null,
                    "whether all nodes are joined is not known: " + declared.cause(here, QueueLookup.MARKS));
        }
        List<Address> apart =
                same.stream().filter(other -> !knowsSoon(other, mark)).toList();
        BrokerAnswer deleted = BrokerAnswer.to(connection, channel -> channel.queueDelete(mark));
        if (!deleted.isDone()) {
            return new Doubt(need, null, "%s has not answered as it should".formatted(here.hostAndPort()));
        }
        if (apart.isEmpty() || settings.isMoreThanHalf(1 + same.size() - apart.size())) {
            return null;
        }
        String text = "it is at no node, and what is declared at %s is not known to %s"
                .formatted(here.hostAndPort(), apart.get(0).hostAndPort());
        for (Address other : apart) {
            if (settings.isMoreThanHalf(joinedTo(other, apart))) {
                return new Doubt(
                        need,
                        other,
                        "%s, which more than half of the nodes are joined to, connecting to that node; join %s to them"
                                .formatted(text, here.hostAndPort()));
            }
        }
        String cause = unanswered;
        return new Doubt(
                need,
                null,
                cause != null
                        ? "it is at no node, and whether all nodes are joined is not known, so it is not declared: "
                                + cause
                        : text
                                + ", so it is not declared; wait until they are joined again, or check that all addresses of rabbitmq.host are of one cluster");
    }

    private int joinedTo(Address node, List<Address> apart) {
        String mark = Fence.PREFIX + UUID.randomUUID();
        BrokerAnswer declared = ask(node, channel -> channel.queueDeclare(mark, false, true, false, Map.of()));
        if (!declared.isDone()) {
            unanswered = declared.causeOfAnother(node, QueueLookup.MARKS);
            return 0;
        }
        long others = apart.stream()
                .filter(other -> !other.equals(node) && knowsSoon(other, mark))
                .count();
        connections.delete(node, mark);
        return 1 + (int) others;
    }

    private boolean knowsSoon(Address node, String mark) {
        for (int i = 0; i < TRIES; i++) {
            BrokerAnswer answer = ask(node, channel -> channel.queueDeclarePassive(mark));
            switch (answer.kind()) {
                case DONE, LOCKED -> {
                    return true;
                }
                case MISSING, UNUSABLE -> {
                    if (!pause()) {
                        return false;
                    }
                }
                default -> {
                    unanswered = answer.causeOfAnother(node, QueueLookup.MARKS);
                    return false;
                }
            }
        }
        return false;
    }

    private BrokerAnswer ask(Address other, BrokerAnswer.Question question) {
        return isWanted.getAsBoolean()
                ? connections.ask(other, null, question)
                : BrokerAnswer.notAsked("closed meanwhile");
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
}
