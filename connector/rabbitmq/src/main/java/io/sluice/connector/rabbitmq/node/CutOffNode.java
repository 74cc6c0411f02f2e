package io.sluice.connector.rabbitmq.node;

import io.sluice.connector.rabbitmq.settings.Address;
import io.sluice.connector.rabbitmq.settings.RabbitSettings;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves a node that is cut off from the others. With Khepri such a node keeps its connections: it rejects the messages of a queue that it does not reach, and does not forget an earlier connection.
 * Both mostly have another cause, such as a queue that is full. So the other nodes are asked only if nothing was confirmed between failures for a while, in the background, and the node is
 * left only for others that are joined to each other without it and are more than half of all. Kept over the attempts. Thread-safe.
 */
public final class CutOffNode {
    private static final Logger LOG = LoggerFactory.getLogger(CutOffNode.class);

    /** How long nothing may be confirmed before the others are asked, and before they are asked again. */
    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final RabbitSettings settings;
    private final NodeOrder nodes;
    private final Executor background;
    private final Time time;
    private final AtomicBoolean isAsking = new AtomicBoolean();

    /** Of the first failure after the last confirmation, or of the last question; null if there was none. */
    private volatile @Nullable Long sinceNanos;

    private volatile @Nullable NodeConnections connections;
    private volatile boolean isStopped;

    /**
     * Asks nothing yet.
     *
     * @param nodes whose current one is left
     * @param background runs the questions, which may take long
     */
    public CutOffNode(RabbitSettings settings, NodeOrder nodes, Executor background, Time time) {
        this.settings = settings;
        this.nodes = nodes;
        this.background = background;
        this.time = time;
    }

    /** The node has confirmed a message. */
    public void confirmed() {
        if (sinceNanos != null) { // a write for each message would be more expensive
            sinceNanos = null;
        }
    }

    /** The node, which is connected to or was, has failed in a way in which one does that is cut off. */
    public void failed(Address here) {
        if (!settings.isMoreThanHalf(settings.others(here).size())) {
            return;
        }
        Long since = sinceNanos;
        long now = time.nanos();
        if (since == null) {
            sinceNanos = now;
        } else if (now - since > PERIOD.toNanos() && isAsking.compareAndSet(false, true)) {
            sinceNanos = now;
            background.execute(() -> ask(here));
        }
    }

    private void ask(Address here) {
        NodeConnections made = new NodeConnections(settings, time);
        connections = made; // before it is asked whether it is stopped
        try {
            if (!isStopped) {
                leaveIfCutOff(here, made);
            }
        } finally {
            made.close();
            connections = null;
            isAsking.set(false);
        }
    }

    private void leaveIfCutOff(Address here, NodeConnections asked) {
        Address next = new JoinedNodes(settings, new Asker(asked), time).majorityWithout(here);
        if (next != null && nodes.current().equals(here)) {
            LOG.warn(
                    "a node of RabbitMQ is cut off from the others, which are joined, connecting to one of them: left={} used={}",
                    here.hostAndPort(),
                    next.hostAndPort());
            nodes.leave(here, next);
        }
    }

    /** Asks nothing any more, also in an answer that is being made. Thread-safe. */
    public void stop() {
        isStopped = true;
        NodeConnections asked = connections;
        if (asked != null) {
            asked.stop();
        }
    }

    /** Each node is asked over a connection of its own, also the one that has failed: nothing may be open to that. */
    private record Asker(NodeConnections connections) implements NodeAsker {
        @Override
        public BrokerAnswer declare(Address node, String queue) {
            return connections.ask(node, null, ProbeQueue.declaration(queue));
        }

        @Override
        public BrokerAnswer find(Address node, String queue) {
            return connections.ask(node, null, channel -> channel.queueDeclarePassive(queue));
        }

        @Override
        public boolean delete(Address node, String queue) {
            return connections.delete(node, queue);
        }
    }
}
