package io.sluice.connector.rabbitmq;

import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Answers the messages of a connection that no queue takes.
 *
 * <p>A cluster leads no message to a classic queue whose node is down, as if the queue did not exist. So a message is rejected for that only if all nodes are up when
 * it has been returned; otherwise it fails, and is sent again. Thread-safe.
 */
final class UnroutableMessages {
    private record Returned(DeliveryCallback callback, SendException why) {}

    private final List<Address> nodes;
    private final Duration connectTimeout;
    private final Runnable answered;
    private final Queue<Returned> waiting = new ConcurrentLinkedQueue<>();

    /**
     * Has none.
     *
     * @param nodes of the cluster
     * @param connectTimeout how long a node may take to accept a connection
     * @param answered called after each callback
     */
    UnroutableMessages(List<Address> nodes, Duration connectTimeout, Runnable answered) {
        this.nodes = nodes;
        this.connectTimeout = connectTimeout;
        this.answered = answered;
    }

    /** Adds one; {@link #judge} or {@link #fail} must follow. */
    void add(DeliveryCallback callback, SendException why) {
        waiting.add(new Returned(callback, why));
    }

    /** Answers those that were added before. Connects to nodes, so it may take long. */
    void judge() {
        List<Returned> all = takeAll();
        if (all.isEmpty()) {
            return;
        }
        String down = null;
        try {
            down = nodes.size() == 1 ? null : firstThatIsDown();
        } finally {
            for (Returned each : all) {
                answer(each, down == null ? each.why() : mayBeDown(each.why(), down));
            }
        }
    }

    /** Answers those that were added before as failed with their connection. */
    void fail(Exception cause) {
        for (Returned each : takeAll()) {
            each.callback().failed(cause, FailureKind.PASSING);
            answered.run();
        }
    }

    private List<Returned> takeAll() {
        List<Returned> all = new ArrayList<>();
        for (Returned next = waiting.poll(); next != null; next = waiting.poll()) {
            all.add(next);
        }
        return all;
    }

    private void answer(Returned message, SendException why) {
        message.callback().failed(why, why.kind());
        answered.run();
    }

    private static SendException mayBeDown(SendException why, String down) {
        return new SendException(
                FailureKind.PASSING,
                "%s; or it has a queue on a node that is down: %s does not answer, start it, or remove it from rabbitmq.host"
                        .formatted(why.getMessage(), down),
                why);
    }

    private @Nullable String firstThatIsDown() {
        for (Address node : nodes) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(node.host(), node.port()), (int) connectTimeout.toMillis());
            } catch (IOException e) {
                return node.hostAndPort();
            }
        }
        return null;
    }
}
