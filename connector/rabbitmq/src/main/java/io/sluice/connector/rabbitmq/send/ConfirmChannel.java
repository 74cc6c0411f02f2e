package io.sluice.connector.rabbitmq.send;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A channel in confirm mode, and the messages on it that are not answered yet.
 *
 * <p>The broker takes the messages of a channel in their order, so those of one topic share one. Thread-safe.
 */
final class ConfirmChannel {
    /** Learns what becomes of the messages; called by the thread that reads from the broker, and may not block. */
    interface Listener {
        /** A message was answered, as delivered or because the attempt ended; called after its callback. */
        void answered(boolean byTheBroker);

        /**
         * The broker has it, but no queue; those after it continue. The listener calls the callback, now or later, and counts the message as
         * answered.
         */
        void unroutable(Message message, DeliveryCallback callback, SendException why);

        /** A queue has rejected or lost a message. */
        void lost(SendException why);

        /** The channel is closed, by the broker or with the connection. */
        void closed(ConfirmChannel which, ShutdownSignalException why);
    }

    /** A message on its way. */
    private static final class Pending {
        private final Message message;
        private final DeliveryCallback callback;
        private final long sentNanos;
        private volatile @Nullable SendException returned;

        Pending(Message message, DeliveryCallback callback, long sentNanos) {
            this.message = message;
            this.callback = callback;
            this.sentNanos = sentNanos;
        }
    }

    private final Channel channel;
    private final String exchange;
    private final boolean mandatory;
    private final Listener listener;
    private final Time time;
    private final ReentrantLock publishing = new ReentrantLock();
    private final ConcurrentNavigableMap<Long, Pending> pending = new ConcurrentSkipListMap<>();

    private ConfirmChannel(Channel channel, String exchange, boolean mandatory, Listener listener, Time time) {
        this.channel = channel;
        this.exchange = exchange;
        this.mandatory = mandatory;
        this.listener = listener;
        this.time = time;
    }

    /** Puts a new channel into confirm mode. */
    static ConfirmChannel open(Channel channel, String exchange, boolean mandatory, Listener listener, Time time)
            throws IOException {
        ConfirmChannel made = new ConfirmChannel(channel, exchange, mandatory, listener, time);
        channel.addConfirmListener(made::acked, made::nacked);
        channel.addReturnListener(made::returned);
        channel.addShutdownListener(why -> listener.closed(made, why));
        channel.confirmSelect();
        return made;
    }

    /**
     * Sends a message; blocks while the socket takes nothing.
     *
     * @throws IOException or {@link ShutdownSignalException} if the channel is closed; the message is among those that
     *     {@link #fail} answers
     */
    void publish(Message message, AMQP.BasicProperties properties, DeliveryCallback callback) throws IOException {
        publishing.lock();
        try {
            pending.put(channel.getNextPublishSeqNo(), new Pending(message, callback, time.nanos()));
            channel.basicPublish(exchange, message.topic(), mandatory, properties, message.value());
        } finally {
            publishing.unlock();
        }
    }

    /** Answers all messages that are not answered, the oldest first. */
    void fail(Exception cause, FailureKind kind) {
        boolean found = true;
        while (found) {
            found = failOldest(cause, kind);
        }
    }

    /** Answers the oldest message that is not answered. Returns whether there was one. */
    boolean failOldest(Exception cause, FailureKind kind) {
        Map.Entry<Long, Pending> oldest = pending.pollFirstEntry();
        if (oldest == null) {
            return false;
        }
        oldest.getValue().callback.failed(cause, kind);
        listener.answered(false);
        return true;
    }

    /** When the oldest message that is not answered was sent, by {@link Time#nanos}; {@code otherwise} if none is. */
    long oldestNanos(long otherwise) {
        Map.Entry<Long, Pending> first = pending.firstEntry();
        return first == null ? otherwise : first.getValue().sentNanos;
    }

    private void acked(long tag, boolean multiple) {
        if (!multiple) {
            confirm(pending.remove(tag));
            return;
        }
        for (Map.Entry<Long, Pending> first = pending.firstEntry();
                first != null && first.getKey() <= tag;
                first = pending.firstEntry()) {
            confirm(pending.remove(first.getKey()));
        }
    }

    private void confirm(@Nullable Pending message) {
        if (message == null) {
            return; // answered when the attempt ended
        }
        SendException returned = message.returned;
        if (returned == null) {
            message.callback.delivered();
            listener.answered(true);
        } else {
            listener.unroutable(message.message, message.callback, returned);
        }
    }

    private void nacked(long tag, boolean multiple) {
        listener.lost(new SendException(
                FailureKind.PASSING,
                ("RabbitMQ has not stored a message (nack): a queue of exchange '%s' is at its limit"
                                + " (x-overflow=reject-publish), has failed, or is on a node that is down, see its log: deliveryTag=%d multiple=%s")
                        .formatted(exchange, tag, multiple)));
    }

    /** The broker does not state which message it returns, but returns it before it confirms it. */
    private void returned(Return unroutable) {
        for (Pending candidate : pending.values()) {
            if (candidate.returned == null
                    && candidate.message.topic().equals(unroutable.getRoutingKey())
                    && Arrays.equals(candidate.message.value(), unroutable.getBody())) {
                candidate.returned = new SendException(
                        FailureKind.TOPIC_UNAVAILABLE,
                        ("no queue takes messages of exchange '%s' with routing key '%s' (%d %s): bind one, or let such"
                                        + " messages be dropped with rabbitmq.mandatory=false")
                                .formatted(
                                        exchange,
                                        unroutable.getRoutingKey(),
                                        unroutable.getReplyCode(),
                                        unroutable.getReplyText()));
                return;
            }
        }
    }
}
