package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.sluice.connector.api.attempt.SendException;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker for the queues of messages that it has returned: it tells one that does not exist from one whose node it does not reach. It knows by name the queue
 * of a topic at its own exchange, and the queue that is declared. Which other queues an exchange has it does not say, so all nodes must answer then.
 */
final class QueueLookup implements UnroutableMessages.Lookup {
    private static final Logger LOG = LoggerFactory.getLogger(QueueLookup.class);
    private static final byte[] PROTOCOL = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
    private static final int CONNECTION_CLASS = 10;
    private static final int START_METHOD = 10;

    private final RabbitSettings settings;
    private final Supplier<@Nullable Connection> connection;

    /** @param connection the one whose messages are asked for */
    QueueLookup(RabbitSettings settings, Supplier<@Nullable Connection> connection) {
        this.settings = settings;
        this.connection = connection;
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
            BrokerAnswer answer = ask(queue);
            switch (answer.code()) {
                case AMQP.REPLY_SUCCESS, AMQP.ACCESS_REFUSED, AMQP.RESOURCE_LOCKED -> {}
                case AMQP.NOT_FOUND -> {
                    if (!answer.isMissing()) {
                        return down(queue, answer);
                    }
                }
                default -> {
                    return unknown(queue, answer);
                }
            }
        }
        return nodeThatIsDown();
    }

    /** Why the queue may be there; null if it is not. */
    private @Nullable String ofQueue(String queue) {
        BrokerAnswer answer = ask(queue);
        return switch (answer.code()) {
            case AMQP.REPLY_SUCCESS -> "queue %s is there now".formatted(queue);
            case AMQP.NOT_FOUND -> answer.isMissing() ? null : down(queue, answer);
            case AMQP.ACCESS_REFUSED -> nodeThatIsDown();
            default -> unknown(queue, answer);
        };
    }

    private static String unknown(String queue, BrokerAnswer answer) {
        return "whether queue %s exists is not known: %s".formatted(queue, answer.text());
    }

    private static String down(String queue, BrokerAnswer answer) {
        return "queue %s exists, start its node: %s".formatted(queue, answer.text());
    }

    private BrokerAnswer ask(String queue) {
        Connection asked = connection.get();
        return asked == null
                ? new BrokerAnswer(0, "not connected")
                : BrokerAnswer.to(asked, channel -> channel.queueDeclarePassive(queue));
    }

    /** One address is the node that has returned the message. */
    private @Nullable String nodeThatIsDown() {
        if (settings.addresses().size() == 1) {
            return null;
        }
        for (Address node : settings.addresses()) {
            try {
                requireBroker(node);
            } catch (IOException | SendException e) {
                LOG.debug("a node does not answer: address={} cause={}", node.hostAndPort(), String.valueOf(e));
                return "it may have a queue on a node that is down: %s does not answer, start it, or remove it from rabbitmq.host"
                        .formatted(node.hostAndPort());
            }
        }
        return null;
    }

    /** Reads the first words of the broker: a proxy accepts connections also while its broker is down, and a system while the broker is frozen. */
    private void requireBroker(Address node) throws IOException, SendException {
        ConnectionFactory factory = settings.factory(node, socket -> {});
        SocketFactory sockets = factory.getSocketFactory(); // null without TLS
        int timeout = (int) settings.connectTimeout().toMillis();
        try (Socket socket = sockets == null ? new Socket() : sockets.createSocket()) {
            factory.getSocketConfigurator().configure(socket);
            socket.setSoTimeout(timeout);
            socket.connect(new InetSocketAddress(node.host(), node.port()), timeout);
            socket.getOutputStream().write(PROTOCOL);
            socket.getOutputStream().flush();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int type = in.readUnsignedByte();
            int channel = in.readUnsignedShort();
            int unusedSize = in.readInt();
            if (type != AMQP.FRAME_METHOD
                    || channel != 0
                    || in.readUnsignedShort() != CONNECTION_CLASS
                    || in.readUnsignedShort() != START_METHOD) {
                throw new IOException("not a broker of AMQP 0-9-1");
            }
        }
    }
}
