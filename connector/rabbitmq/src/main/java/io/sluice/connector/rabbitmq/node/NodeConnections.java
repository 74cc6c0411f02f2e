package io.sluice.connector.rabbitmq.node;

import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.rabbitmq.settings.Address;
import io.sluice.connector.rabbitmq.settings.RabbitSettings;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections over which the nodes of a cluster are asked. They are kept while they are used: as long as a queue is not bound, its messages are returned again and
 * again, and each time the nodes are asked after that. What they have answered before proves nothing. For one thread at a time.
 */
public final class NodeConnections {
    private static final Logger LOG = LoggerFactory.getLogger(NodeConnections.class);
    private static final Duration IDLE_LIMIT = Duration.ofSeconds(10);

    /** For closing in good order what need not be waited for any more. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(1);

    private static final String NAME = "sluice-question";

    private final RabbitSettings settings;
    private final Time time;
    private final Map<Address, Connection> open = new HashMap<>();

    /** By which the nodes are connected to, or are about to be. */
    private final Map<Address, Socket> sockets = new ConcurrentHashMap<>();

    private long usedNanos;

    /** Also of other threads. */
    private volatile boolean isClosed;

    /** The node that is being asked, or whose connection is being closed; null while none is. */
    private volatile @Nullable Address waitedFor;

    /** For other threads. */
    private volatile boolean isAnyOpen;

    /** Has none. */
    public NodeConnections(RabbitSettings settings, Time time) {
        this.settings = settings;
        this.time = time;
    }

    /**
     * Asks a node, by a connection that is made if there is none that is open, and is given up if the question is not answered as it should be. The rejection of a question may
     * close a connection, as at a limit of channels: so none is asked over that of the messages without having been asked here before.
     *
     * @param where of the hosts that the address leads to, the one to ask if that can be chosen, which it cannot by TLS; null for any
     */
    public BrokerAnswer ask(Address node, @Nullable InetAddress where, BrokerAnswer.Question question) {
        BrokerAnswer answer;
        waitedFor = node;
        try {
            answer = BrokerAnswer.to(to(node, where), question);
        } catch (SendException e) { // of ours, before the node is connected to
            return BrokerAnswer.notAsked(String.valueOf(e.getMessage()));
        } catch (IOException | TimeoutException | RuntimeException e) {
            return BrokerAnswer.ofConnecting(e, node);
        } finally {
            waitedFor = null;
        }
        if (!answer.keepsConnection()) {
            drop(node);
        }
        return answer;
    }

    private Connection to(Address node, @Nullable InetAddress where)
            throws IOException, TimeoutException, SendException {
        if (isClosed) {
            throw new SendException(FailureKind.PASSING, "the connection of the messages is closed");
        }
        usedNanos = time.nanos();
        Connection kept = open.get(node);
        if (kept != null && kept.isOpen() && (where == null || node.tls() || where.equals(kept.getAddress()))) {
            return kept;
        }
        drop(node);
        Address chosen =
                where == null || node.tls() ? node : node.at(where.getHostAddress()); // a certificate has the name
        Connection made = settings.factory(chosen, socket -> take(node, socket)).newConnection(NAME);
        open.put(node, made);
        isAnyOpen = true;
        return made;
    }

    private void take(Address node, Socket made) throws IOException {
        sockets.put(node, made);
        if (isClosed) {
            throw new IOException("closed while connecting");
        }
    }

    /** Whether the node that was asked last by that address is at a host. */
    public boolean isAt(Address node, InetAddress where) {
        Connection kept = open.get(node);
        return kept != null && where.equals(kept.getAddress());
    }

    /** Deletes a queue that was declared over the connection to a node, or else gives up that connection, and the queue with it. Returns whether it was there until then. */
    public boolean delete(Address node, String queue) {
        Connection other = open.get(node);
        if (other == null || !other.isOpen()) {
            return false;
        }
        if (!ask(node, null, channel -> channel.queueDelete(queue)).isDone()) {
            drop(node);
            return false;
        }
        return true;
    }

    /** Gives up the connection to a node that has not answered as it should. */
    void drop(Address node) {
        close(node);
        isAnyOpen = !open.isEmpty();
    }

    /** Whether there are some that {@link #closeIdle} may close. Thread-safe. */
    public boolean isAnyOpen() {
        return isAnyOpen;
    }

    /** Closes all of them if none was used for a while. */
    public void closeIdle() {
        if (time.nanos() - usedNanos > IDLE_LIMIT.toNanos()) {
            closeAll();
        }
    }

    /** Makes none any more, and asks none; a question that is not answered yet is not waited for. {@link #close} must follow. Thread-safe. */
    public void stop() {
        isClosed = true;
        Address node = waitedFor;
        Socket socket = node == null ? null : sockets.get(node);
        if (socket != null) {
            reset(socket);
        }
    }

    /** Closes a socket at once, and drops what the system has not sent yet, too. Thread-safe. */
    public static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            LOG.trace("closed already", e);
        }
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("closing a socket failed: cause={}", String.valueOf(e));
        }
    }

    /** Closes all of them; none is made any more. */
    public void close() {
        closeAll();
        isClosed = true;
    }

    private void closeAll() {
        List.copyOf(open.keySet()).forEach(this::close);
        isAnyOpen = false;
    }

    private void close(Address node) {
        Connection connection = open.remove(node);
        if (connection != null) {
            Address before = waitedFor; // the same one, if another connection to it is about to be made
            waitedFor = node;
            connection.abort((int) (isClosed ? STOP_LIMIT : settings.connectTimeout()).toMillis());
            waitedFor = before;
        }
        sockets.remove(node);
    }
}
