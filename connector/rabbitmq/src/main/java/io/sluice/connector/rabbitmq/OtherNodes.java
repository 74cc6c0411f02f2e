package io.sluice.connector.rabbitmq;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the other nodes for a queue or an exchange that the one which is connected to does not have. A node that has lost its disk is a cluster of its own, and has none: so what
 * one node does not have is missing only if each other one says so, too. That of an exchange is kept for some seconds, in which its messages may be passed over one by one.
 * For one thread at a time but for {@link #stop}.
 */
final class OtherNodes {
    /**
     * Why something may exist although the node that is connected to does not have it.
     *
     * @param at the node that has it; null if that is not known
     */
    record Doubt(@Nullable Address at, String reason) {}

    /** What no node had, and when. */
    private record Missing(String name, long nanos) {}

    private static final Duration KEPT = Duration.ofSeconds(5);

    private final RabbitSettings settings;
    private final Time time;
    private volatile @Nullable Missing missing;
    private volatile @Nullable NodeConnections asking;

    /** Asks nothing yet. */
    OtherNodes(RabbitSettings settings, Time time) {
        this.settings = settings;
        this.time = time;
    }

    /** Whether there are any. */
    boolean areAny() {
        return settings.addresses().size() > 1;
    }

    /**
     * Returns why something may be at another node; null if it is missing there, too.
     *
     * @param name of what is asked for
     * @param node that does not have it
     * @param passive asks for it
     * @param isWanted whether the answer still counts
     */
    @Nullable Doubt about(String name, Address node, BrokerAnswer.Question passive, BooleanSupplier isWanted) {
        Missing known = missing;
        if (known != null && known.name.equals(name) && time.nanos() - known.nanos <= KEPT.toNanos()) {
            return null;
        }
        NodeConnections connections = new NodeConnections(settings, time);
        asking = connections; // before it is asked whether the answer is wanted
        Doubt doubt;
        try {
            doubt = ask(connections, name, node, passive, isWanted);
        } finally {
            connections.close();
            asking = null;
        }
        missing = doubt == null ? new Missing(name, time.nanos()) : null;
        return doubt;
    }

    private @Nullable Doubt ask(
            NodeConnections connections,
            String name,
            Address node,
            BrokerAnswer.Question passive,
            BooleanSupplier isWanted) {
        Doubt doubt = null;
        for (Address other : settings.addresses()) {
            if (other.equals(node)) {
                continue;
            }
            BrokerAnswer answer = isWanted.getAsBoolean()
                    ? connections.ask(other, null, passive)
                    : BrokerAnswer.notAsked("closed meanwhile");
            switch (answer.kind()) {
                case DONE, LOCKED, UNUSABLE -> {
                    return new Doubt(
                            other,
                            "it exists at %s, connecting to that node; check that all addresses of rabbitmq.host are of one cluster"
                                    .formatted(other.hostAndPort()));
                }
                case MISSING -> {}
                default -> {
                    if (doubt == null) {
                        doubt = new Doubt(
                                null,
                                "whether it exists at %s is not known: %s"
                                        .formatted(other.hostAndPort(), answer.causeOfAnother(other, name)));
                    }
                }
            }
        }
        return doubt;
    }

    /** What was missing is there, or is declared. */
    void forget() {
        missing = null;
    }

    /** A question that is not answered yet is not waited for. Thread-safe. */
    void stop() {
        NodeConnections connections = asking;
        if (connections != null) {
            connections.stop();
        }
    }
}
