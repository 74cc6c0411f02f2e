package io.sluice.connector.rabbitmq.send;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.sluice.connector.rabbitmq.failure.RabbitErrors;
import io.sluice.connector.rabbitmq.node.Khepri;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds whether the node of a queue is down that is another connection's alone. From 4.2 on, with Khepri, RabbitMQ keeps such a queue while its node is down
 * or cut off, and rejects its declaration as if the other connection were open. It answers at once what becomes of a message, and a question for the queue
 * only after a minute. The message has no content, and goes with the queue; it does not expire, since it could then go to a dead-letter exchange.
 */
final class HomeOfQueue {
    /** What the broker answers. */
    enum State {
        /** The queue does not reach its node, with which the connection that has it is lost. */
        DOWN,
        /** The queue reaches its node, or is gone; or the broker is not one that keeps such queues. */
        UNKNOWN,
        /** The broker blocks publishers, and reads nothing more of this connection. */
        BLOCKED,
        /** The broker does not answer. */
        NO_ANSWER,
        /** The user may not send a message to a queue. */
        REFUSED
    }

    private static final Logger LOG = LoggerFactory.getLogger(HomeOfQueue.class);
    private static final AMQP.BasicProperties NOTHING = new AMQP.BasicProperties();

    private HomeOfQueue() {}

    /** Asks the broker, if it is one that keeps such queues. */
    static State of(Connection connection, String queue, Duration atMost) throws IOException {
        if (!Khepri.mayBeUsedBy(connection)) {
            return State.UNKNOWN;
        }
        Channel channel = connection.createChannel();
        if (channel == null) {
            return State.UNKNOWN;
        }
        AtomicBoolean isBlocked = new AtomicBoolean();
        BlockedListener blocked = connection.addBlockedListener(reason -> isBlocked.set(true), () -> {});
        try {
            channel.confirmSelect();
            channel.basicPublish("", queue, NOTHING, new byte[0]);
            boolean isTaken = channel.waitForConfirms(Math.max(1, atMost.toMillis()));
            if (isBlocked.get()) {
                return State.BLOCKED; // it does not read that the channel is to be closed
            }
            channel.abort(); // messages may need all channels that the broker allows
            return isTaken ? State.UNKNOWN : State.DOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return State.UNKNOWN;
        } catch (TimeoutException e) {
            LOG.debug("no answer whether a queue has its node: queue={}", queue, e);
            return isBlocked.get() ? State.BLOCKED : State.NO_ANSWER;
        } catch (IOException | RuntimeException e) {
            if (!connection.isOpen()) {
                throw e;
            }
            LOG.debug("whether a queue has its node is not known: queue={} cause={}", queue, RabbitErrors.textOf(e));
            int code = RabbitErrors.codeOf(e);
            return code == AMQP.ACCESS_REFUSED && !RabbitErrors.mayBeOfBackend(RabbitErrors.textOf(e))
                    ? State.REFUSED
                    : State.UNKNOWN;
        } finally {
            connection.removeBlockedListener(blocked);
        }
    }
}
