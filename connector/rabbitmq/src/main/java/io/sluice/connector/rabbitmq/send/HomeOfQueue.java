package io.sluice.connector.rabbitmq.send;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.sluice.connector.rabbitmq.failure.RabbitErrors;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds whether the node of a queue is down that is another connection's alone. From 4.2 on, with Khepri, RabbitMQ keeps such a queue while its node is down or cut off, and rejects its declaration as if the other connection were
 * open. It answers at once what becomes of a message, and a question for the queue only after a minute. The message expires before it is stored.
 */
final class HomeOfQueue {
    /** What the broker answers. */
    enum State {
        /** The queue has its node. */
        UP,
        /** The queue does not reach its node, with which the connection that has it is lost. */
        DOWN,
        /** There is no such queue. */
        MISSING,
        /** The broker is not one that keeps such queues, does not answer, or the user may not send a message to a queue. */
        UNKNOWN
    }

    private static final Logger LOG = LoggerFactory.getLogger(HomeOfQueue.class);
    private static final AMQP.BasicProperties EXPIRED =
            new AMQP.BasicProperties.Builder().expiration("0").build();
    private static final int FIRST_WITH_KHEPRI = 4;

    private HomeOfQueue() {}

    /** Asks the broker, if it is one that keeps such queues. */
    static State of(Connection connection, String queue, Duration atMost) throws IOException {
        if (!mayKeep(connection)) {
            return State.UNKNOWN;
        }
        Channel channel = connection.createChannel();
        if (channel == null) {
            return State.UNKNOWN;
        }
        AtomicBoolean isReturned = new AtomicBoolean();
        try {
            channel.addReturnListener(unroutable -> isReturned.set(true));
            channel.confirmSelect();
            channel.basicPublish("", queue, true, EXPIRED, new byte[0]);
            boolean isTaken = channel.waitForConfirms(Math.max(1, atMost.toMillis()));
            channel.abort();
            return !isTaken ? State.DOWN : isReturned.get() ? State.MISSING : State.UP;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return State.UNKNOWN;
        } catch (TimeoutException e) {
            channel.abort();
            return State.UNKNOWN;
        } catch (IOException | RuntimeException e) {
            if (!connection.isOpen()) {
                throw e;
            }
            LOG.debug("whether a queue has its node is not known: queue={} cause={}", queue, RabbitErrors.textOf(e));
            return State.UNKNOWN;
        }
    }

    private static boolean mayKeep(Connection connection) {
        String version = String.valueOf(connection.getServerProperties().get("version"));
        int end = version.indexOf('.');
        try {
            return RabbitErrors.isRabbitMq(connection)
                    && end > 0
                    && Integer.parseInt(version.substring(0, end)) >= FIRST_WITH_KHEPRI;
        } catch (NumberFormatException e) {
            LOG.trace("not a version of RabbitMQ: {}", version, e);
            return false;
        }
    }
}
