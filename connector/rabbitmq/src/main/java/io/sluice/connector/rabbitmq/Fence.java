package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sure that a producer has one connection at a time at the broker.
 *
 * <p>A broker that was paused or cut off may still have an earlier connection, with messages in it that it has not read
 * yet. Messages of a new connection could then overtake them. So each connection first declares a queue of the same name
 * for itself alone: the broker rejects that until the earlier connection, and all that was in it, is gone.
 */
final class Fence {
    private static final Logger LOG = LoggerFactory.getLogger(Fence.class);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final String queue = "sluice.producer." + UUID.randomUUID();
    private final boolean enabled;
    private final Time time;
    private final AtomicBoolean hasWarned = new AtomicBoolean();

    Fence(boolean enabled, Time time) {
        this.enabled = enabled;
        this.time = time;
    }

    /**
     * Returns when no other connection of this producer is left at the broker.
     *
     * @throws SendException that passes if there still is one after the given time
     */
    void pass(Connection connection, Duration atMost) throws IOException, SendException {
        long begin = time.nanos();
        while (enabled && !isDeclared(connection)) {
            if (time.nanos() - begin > atMost.toNanos()) {
                throw new SendException(
                        FailureKind.PASSING,
                        "RabbitMQ has not yet closed an earlier connection, whose messages must come first");
            }
            try {
                time.sleep(PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SendException(FailureKind.PASSING, "interrupted while connecting", e);
            }
        }
    }

    private boolean isDeclared(Connection connection) throws IOException {
        Channel channel = connection.createChannel();
        try {
            channel.queueDeclare(queue, false, true, false, Map.of());
            return true;
        } catch (IOException e) {
            int code = RabbitErrors.codeOf(e);
            if (code == AMQP.RESOURCE_LOCKED) {
                return false;
            }
            if (code == AMQP.ACCESS_REFUSED) {
                if (hasWarned.compareAndSet(false, true)) {
                    LOG.warn(
                            "the RabbitMQ user may not declare queues named sluice.producer.*, so after a lost connection"
                                    + " messages may overtake earlier ones: cause={}",
                            RabbitErrors.textOf(e));
                }
                return true;
            }
            throw e;
        }
    }
}
