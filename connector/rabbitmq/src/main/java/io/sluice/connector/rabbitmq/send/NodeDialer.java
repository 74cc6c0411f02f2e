package io.sluice.connector.rabbitmq.send;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.rabbitmq.failure.RabbitErrors;
import io.sluice.connector.rabbitmq.node.CutOffNode;
import io.sluice.connector.rabbitmq.node.NodeConnections;
import io.sluice.connector.rabbitmq.node.NodeOrder;
import io.sluice.connector.rabbitmq.node.RightsLookup;
import io.sluice.connector.rabbitmq.settings.Address;
import io.sluice.connector.rabbitmq.settings.RabbitSettings;
import io.sluice.connector.rabbitmq.topology.Doubt;
import io.sluice.connector.rabbitmq.topology.Need;
import io.sluice.connector.rabbitmq.topology.OtherNodes;
import io.sluice.connector.rabbitmq.topology.TopologyDeclaration;
import io.sluice.connector.rabbitmq.unroutable.QueueLookup;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the connection of an attempt, to the current node or the first one after it that lets us in: passes the fence, declares, and opens the channels. Decides with that which node the next attempt connects
 * to. One thread connects; the rest is thread-safe.
 */
public final class NodeDialer implements QueueLookup.Asked {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDialer.class);

    /** The last step of connecting. */
    interface Setup {
        /** Makes use of a connection and its channels. */
        void setUp(Connection connection, List<Channel> channels) throws IOException;
    }

    private record Dialed(Address node, Connection connection) {}

    /**
     * That the next connection is to be to another node.
     *
     * @param next to which; null for any
     */
    private record Leaving(String why, @Nullable Address next) {}

    private final Attempt attempt;
    private final RabbitSettings settings;
    private final Ownership ownership;
    private final NodeOrder nodes;
    private final OtherNodes others;
    private final Fence fence;
    private final CutOffNode cutOff;
    private final RightsLookup rights;
    private final BlockedListener blocked;
    private final Object cutting = new Object();

    @GuardedBy("cutting") private boolean isCut;

    @GuardedBy("cutting") private @Nullable Socket socket;

    /** Null until a node is connected to. */
    private volatile @Nullable Dialed dialed;

    /** Null if the node need not be left. */
    private volatile @Nullable Leaving leaving;

    /**
     * Does not connect yet.
     *
     * @param blocked learns whether the broker blocks publishers
     */
    NodeDialer(
            Attempt attempt,
            RabbitSettings settings,
            Ownership ownership,
            NodeOrder nodes,
            OtherNodes others,
            Fence fence,
            CutOffNode cutOff,
            RightsLookup rights,
            BlockedListener blocked) {
        this.attempt = attempt;
        this.settings = settings;
        this.ownership = ownership;
        this.nodes = nodes;
        this.others = others;
        this.fence = fence;
        this.cutOff = cutOff;
        this.rights = rights;
        this.blocked = blocked;
    }

    /** Connects; what fails after that may leave the node. */
    void dial(Setup setup) throws SendException {
        Dialed made = open();
        dialed = made;
        Address node = made.node();
        Connection connection = made.connection();
        try {
            connection.addBlockedListener(blocked);
            pass(made);
            prepare(made, setup);
            LOG.info("connected to RabbitMQ: address={}", node.hostAndPort());
        } catch (IOException | RuntimeException e) {
            leaveAfter(RabbitErrors.textOf(e), node);
            throw RabbitErrors.connecting(e, node);
        }
    }

    /** Waits for an earlier connection, which may be that of a frozen node: no failure of this one, unless it is cut off and does not learn that the other connection is gone. */
    private void pass(Dialed made) throws IOException, SendException {
        try {
            fence.pass(made.connection(), settings.connectTimeout());
        } catch (SendException e) {
            cutOff.failed(made.node());
            throw e;
        }
    }

    private Dialed open() throws SendException {
        List<SendException> failures = new ArrayList<>();
        while (true) {
            Address address = nodes.current();
            try {
                Connection connection = settings.factory(address, this::take).newConnection("sluice");
                failures.forEach(failure -> LOG.warn(
                        "a node of RabbitMQ cannot be connected to, using another one: used={} cause={}",
                        address.hostAndPort(),
                        failure.getMessage()));
                return new Dialed(address, connection);
            } catch (SendException e) { // of the key stores, which are the same for all nodes
                throw e;
            } catch (IOException | TimeoutException | RuntimeException e) {
                failures.add(RabbitErrors.connecting(e, address));
                leave(address, null);
                if (failures.size() == nodes.count() || !isWanted()) {
                    throw RabbitErrors.ofAllNodes(failures);
                }
            }
        }
    }

    /** Connecting may take long, and more than once. */
    private boolean isWanted() {
        return ownership.isHeld()
                && !attempt.hasEnded()
                && !Thread.currentThread().isInterrupted();
    }

    /** Declares, and opens the channels. */
    private void prepare(Dialed made, Setup setup) throws IOException, SendException {
        Connection connection = made.connection();
        try {
            new TopologyDeclaration(settings.topology(), connection)
                    .declare(others.areAny() ? needs -> doubt(made, needs) : null);
            others.forget();
            List<Channel> channels = new ArrayList<>();
            for (int i = 0; i < messageChannels(connection); i++) {
                channels.add(channel(connection));
            }
            setup.setUp(connection, channels);
        } catch (SendException e) {
            if (e.kind() == FailureKind.PASSING) { // such as that of a queue that another node may reach
                leaveAfter(String.valueOf(e.getMessage()), made.node());
            }
            throw e;
        }
    }

    private @Nullable Doubt doubt(Dialed made, List<Need> needs) {
        Doubt doubt = others.about(made.connection(), made.node(), needs, this::isWanted);
        if (doubt != null) {
            leave(made.node(), doubt.at());
        }
        return doubt;
    }

    /**
     * Leaves one of those that the broker allows to the {@link Fence}, and to {@link QueueLookup}, which may ask over this connection with another exchange than the broker's own, with several nodes, and by
     * TLS.
     */
    private int messageChannels(Connection opened) {
        int wanted = settings.channels();
        boolean isAsked = settings.fenced()
                || settings.mandatory()
                        && (!settings.topology().exchange().isEmpty()
                                || settings.addresses().size() > 1
                                || settings.addresses().stream().anyMatch(Address::tls));
        return isAsked && wanted > 1 && wanted == opened.getChannelMax() ? wanted - 1 : wanted;
    }

    private Channel channel(Connection opened) throws IOException, SendException {
        Channel made = opened.createChannel();
        if (made == null) {
            throw new SendException(
                    FailureKind.BROKEN,
                    "rabbitmq.channels: RabbitMQ allows %d channels for each connection, not %d"
                            .formatted(opened.getChannelMax(), settings.channels()));
        }
        return made;
    }

    /** Keeps the socket of a connection that is being made, so that it can be closed during a write. */
    private void take(Socket made) throws IOException {
        synchronized (cutting) {
            if (isCut) {
                throw new IOException("closed while connecting");
            }
            socket = made;
        }
    }

    @Override
    public @Nullable Connection connection() {
        Dialed made = dialed;
        return made == null ? null : made.connection();
    }

    @Override
    public @Nullable Address node() {
        Dialed made = dialed;
        return made == null ? null : made.node();
    }

    /** Takes effect with {@link #leaveIfAsked}. */
    @Override
    public void leaveNode(String why, @Nullable Address next) {
        if (next != null || leaving == null) { // a node of which something is known comes first
            leaving = new Leaving(why, next);
        }
    }

    /** Leaves the node if that was asked for since the connection was made, and returns why; null if it was not. */
    @Nullable String leaveIfAsked() {
        Leaving asked = leaving;
        Address left = node();
        if (asked == null || left == null) {
            return null;
        }
        leave(left, asked.next());
        return asked.why();
    }

    /** Leaves the node that is connected to after a failure of it, unless it could not look up a right and may be no worse than the others. */
    void leaveNodeAfter(String failure) {
        Address left = node();
        if (left != null) {
            leaveAfter(failure, left);
        }
    }

    private void leaveAfter(String failure, Address node) {
        if (!RabbitErrors.mayBeRejectionOfBackend(failure) || rights.failed()) {
            leave(node, null);
        }
    }

    /** Leaves the node that is connected to, if one is. */
    void leaveNode() {
        Address left = node();
        if (left != null) {
            leave(left, null);
        }
    }

    /**
     * The next connection is to another node. Not if the attempt has ended before: what fails then fails because the socket was closed, and a message that
     * was rejected, for example, is no sign of a node that is broken.
     */
    private void leave(Address left, @Nullable Address next) {
        if (!attempt.hasEnded()) {
            nodes.leave(left, next);
        }
    }

    /** Closes the socket at once; nothing is connected to, or asked, after that. */
    void cut() {
        Socket open;
        synchronized (cutting) {
            isCut = true;
            open = socket;
        }
        if (open != null) {
            NodeConnections.reset(open);
        }
        others.stop();
    }
}
