package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the broker for the queues of messages that it has returned: it tells one that does not exist from one whose node it does not reach. It knows by name the queue
 * of a topic at its own exchange, and the queue that is declared. Which other queues an exchange has it does not say, so all nodes must be joined to it then.
 */
final class QueueLookup implements UnroutableMessages.Lookup {
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** How often the node is asked for what was declared at another one, which it may learn a little later. */
    private static final int TRIES = 5;

    private final RabbitSettings settings;
    private final Supplier<@Nullable Connection> connection;
    private final Consumer<String> unanswered;
    private final Time time;

    /**
     * Asks nothing yet.
     *
     * @param connection the one whose messages are asked for
     * @param unanswered called if a question over that connection has not been answered, with what is known of it
     */
    QueueLookup(
            RabbitSettings settings,
            Supplier<@Nullable Connection> connection,
            Consumer<String> unanswered,
            Time time) {
        this.settings = settings;
        this.connection = connection;
        this.unanswered = unanswered;
        this.time = time;
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
            String reason = switch (answer.code()) {
                case AMQP.REPLY_SUCCESS, AMQP.ACCESS_REFUSED, AMQP.RESOURCE_LOCKED ->
                    null; // it may be another queue's message
                case AMQP.NOT_FOUND -> answer.isMissing() ? null : down(queue, answer);
                default -> unknown(queue, answer);
            };
            if (reason != null) {
                return reason;
            }
        }
        return nodeThatIsApart();
    }

    /** Why the queue may be there; null if it is not. */
    private @Nullable String ofQueue(String queue) {
        BrokerAnswer answer = ask(queue);
        return switch (answer.code()) {
            case AMQP.REPLY_SUCCESS -> "queue %s is there now".formatted(queue);
            case AMQP.NOT_FOUND -> answer.isMissing() ? null : down(queue, answer);
            case AMQP.ACCESS_REFUSED -> nodeThatIsApart();
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
        if (asked == null) {
            return BrokerAnswer.none("not connected");
        }
        BrokerAnswer answer = BrokerAnswer.to(asked, channel -> channel.queueDeclarePassive(queue));
        if (!answer.isGiven()) {
            unanswered.accept(answer.text());
        }
        return answer;
    }

    /** Why a node may have queues that the one which has returned the message does not reach; null if none does. One address is that node. */
    private @Nullable String nodeThatIsApart() {
        if (settings.addresses().size() == 1) {
            return null;
        }
        for (Address node : settings.addresses()) {
            Connection asked = connection.get();
            String reason = asked != null && asked.isOpen() ? apartness(node) : "the connection is lost";
            if (reason != null) {
                return reason;
            }
        }
        return null;
    }

    /**
     * Declares a queue at a node, and asks for it over the connection of the message: a node that is cut off from the others still accepts connections until it
     * notices, and the others do not know then what is declared there.
     */
    private @Nullable String apartness(Address node) {
        int timeout = (int) settings.connectTimeout().toMillis();
        Connection other = null;
        try {
            other = settings.factory(node, socket -> {}).newConnection("sluice-question");
            String mark = Fence.PREFIX + UUID.randomUUID();
            BrokerAnswer declared =
                    BrokerAnswer.to(other, channel -> channel.queueDeclare(mark, false, true, false, Map.of()));
            return switch (declared.code()) {
                case AMQP.REPLY_SUCCESS -> isKnown(mark) ? null : cutOff(node);
                case AMQP.ACCESS_REFUSED -> null; // it is up, and no more can be found
                default -> silent(node, declared.text());
            };
        } catch (IOException | TimeoutException | SendException | RuntimeException e) {
            return silent(node, RabbitErrors.textOf(e));
        } finally {
            if (other != null) {
                other.abort(timeout); // and with it the queue is gone
            }
        }
    }

    private boolean isKnown(String mark) {
        for (int i = 0; i < TRIES; i++) {
            BrokerAnswer answer = ask(mark);
            if (!answer.isMissing()) {
                return answer.isGiven();
            }
            try {
                time.sleep(PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return false;
    }

    private static String silent(Address node, String cause) {
        return "it may have a queue on a node that is down: %s does not answer, start it, or remove it from rabbitmq.host: %s"
                .formatted(node.hostAndPort(), cause);
    }

    private static String cutOff(Address node) {
        return "it may have a queue on a node that is cut off: %s is up, but what is declared there is not known to the node that was sent to;"
                        .formatted(node.hostAndPort())
                + " wait until they are joined again, or check that all addresses of rabbitmq.host are of one cluster";
    }
}
