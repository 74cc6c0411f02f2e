package io.sluice.connector.rabbitmq.topology;

import com.rabbitmq.client.Connection;
import io.sluice.connector.rabbitmq.node.NodeConnections;
import io.sluice.connector.rabbitmq.settings.Address;
import io.sluice.connector.rabbitmq.settings.RabbitSettings;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the other nodes for a queue or an exchange that the one which is connected to does not have. A node that has lost its disk is a cluster of its own, and has none: so what
 * one node does not have is missing only if each other one says so, too. For an exchange that is not declared that is kept for some seconds, in which its messages may be passed over
 * one by one; before something is declared, it is asked each time. For one thread at a time but for {@link #stop}.
 */
public final class OtherNodes {
    private static final Duration KEPT = Duration.ofSeconds(5);

    private final RabbitSettings settings;
    private final Time time;

    /** When no node had the exchange, which is not declared; null if one has, or none was asked. */
    private volatile @Nullable Long missingNanos;

    private volatile @Nullable NodeConnections asking;

    /** Asks nothing yet. */
    public OtherNodes(RabbitSettings settings, Time time) {
        this.settings = settings;
        this.time = time;
    }

    /** Whether there are any. */
    public boolean areAny() {
        return settings.addresses().size() > 1;
    }

    /**
     * Returns why something that is missing may be at another node, or must not be declared at this one; null if it is missing there, too, and may be declared here.
     *
     * @param connection to the node, over which it has answered
     * @param needs with the answers of that node; one or more are missing
     * @param isWanted whether the answer still counts
     */
    public @Nullable Doubt about(Connection connection, Address node, List<Need> needs, BooleanSupplier isWanted) {
        boolean isDeclared = needs.stream().anyMatch(need -> need.isMissing() && need.isDeclared());
        Long known = missingNanos;
        if (!isDeclared && known != null && time.nanos() - known <= KEPT.toNanos()) {
            return null;
        }
        NodeConnections connections = new NodeConnections(settings, time);
        asking = connections; // before it is asked whether the answer is wanted
        Doubt doubt;
        try {
            doubt = new NodeComparison(settings, connections, connection, node, needs, isWanted, time).doubt();
        } finally {
            connections.close();
            asking = null;
        }
        missingNanos = doubt == null && !isDeclared ? time.nanos() : null;
        return doubt;
    }

    /** What was missing is there, or is declared. */
    public void forget() {
        missingNanos = null;
    }

    /** A question that is not answered yet is not waited for. Thread-safe. */
    public void stop() {
        NodeConnections connections = asking;
        if (connections != null) {
            connections.stop();
        }
    }
}
