package io.sluice.connector.rocketmq;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.rocketmq.Lane.Waiting;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages to the queues of RocketMQ that their partitions choose, modulo the topic's number of queues.
 *
 * <p>Each (topic, partition) has a {@link Lane}, in which one request is on its way at a time; lanes go side by side. A request
 * of several messages that is refused is sent again in halves, so that only the message is refused that is bad.
 *
 * <p>A broker that did not answer in time may still carry the request out, later: then an old message could come after its
 * repetition and all that follows. So {@link #restart} waits until such a broker answers again, and for what it had received
 * before to be done.
 */
final class RocketMqMessageProducer implements MessageProducer {
    private static final Logger LOG = LoggerFactory.getLogger(RocketMqMessageProducer.class);

    /** For so long a broker lets requests wait before it refuses them (its waitTimeMillsInSendQueue), and some more. */
    private static final long SETTLE_MILLIS = 400;

    private final BrokerClient client;
    private final Ownership ownership;
    private final Time time;
    private final OutgoingMessages messages;
    private final Outbox outbox;
    private final int maxValueBytes;
    private final long sendTimeoutMillis;

    /** Whether requests were given up that may still be in the client's own queue, which it empties within its timeout. */
    private volatile boolean hasAbandoned;

    /** Takes a client, which is closed here. */
    RocketMqMessageProducer(BrokerClient client, RocketMqSettings settings, Ownership ownership, Time time) {
        this.client = client;
        this.ownership = ownership;
        this.time = time;
        this.messages = new OutgoingMessages(settings.tag(), ownership);
        this.maxValueBytes = settings.maxMessageBytes();
        this.sendTimeoutMillis = settings.sendTimeout().toMillis();
        int compressOver = settings.compressOverBytes();
        this.outbox = new Outbox(
                settings.bufferBytes(),
                settings.batchBytes(),
                message -> compressOver > 0 && message.getBody().length > compressOver);
    }

    @Override
    public void send(Message message, DeliveryCallback callback) {
        SendFailure failure;
        Lane lane = outbox.lane(message.topic(), message.partition());
        if (message.value().length > maxValueBytes) {
            failure = outbox.refuse(new SendFailure(
                    new IllegalArgumentException("a message of %d bytes is larger than %s, %d"
                            .formatted(message.value().length, RocketMqSettings.MAX_MESSAGE, maxValueBytes)),
                    FailureKind.TOO_LARGE,
                    null));
        } else {
            failure = add(lane, message, callback);
        }
        if (failure == null) {
            sendNext(lane);
        } else {
            callback.failed(failure.cause(), failure.kind());
        }
    }

    private @Nullable SendFailure add(Lane lane, Message message, DeliveryCallback callback) {
        try {
            OutgoingMessages.checkTopic(message.topic());
        } catch (IllegalArgumentException e) {
            return outbox.refuse(new SendFailure(e, FailureKind.TOPIC_UNAVAILABLE, null));
        }
        org.apache.rocketmq.common.message.Message made;
        try {
            made = messages.of(message);
        } catch (IllegalArgumentException e) {
            return outbox.refuse(new SendFailure(e, FailureKind.INVALID, null));
        }
        return outbox.add(lane, made, OutgoingMessages.bytesOf(made), callback);
    }

    private void sendNext(Lane lane) {
        List<Waiting> request = outbox.next(lane, client.takesBatches(lane.topic()));
        if (request.isEmpty()) {
            return;
        }
        if (!ownership.isHeld()) {
            end(
                    lane,
                    request,
                    new SendFailure(
                            new IllegalStateException(
                                    "not sent, since this server is not sure to own the destination any more"),
                            FailureKind.PASSING,
                            null));
            return;
        }
        client.send(
                lane.topic(),
                lane.partition(),
                request.stream().map(Waiting::message).toList(),
                result -> end(lane, request, result));
    }

    /** What a lane had on its way was answered, in one way or the other. */
    private void end(Lane lane, List<Waiting> request, @Nullable SendFailure result) {
        List<Waiting> dropped = outbox.end(lane, request, result);
        if (dropped != null) {
            answer(request, result);
            if (result != null) {
                answer(dropped, Outbox.behind(result.cause()));
            }
            outbox.settle(lane, request, dropped);
        }
        sendNext(lane);
    }

    private static void answer(List<Waiting> some, @Nullable SendFailure result) {
        for (Waiting next : some) {
            if (result == null) {
                next.callback().delivered();
            } else {
                next.callback().failed(result.cause(), result.kind());
            }
        }
    }

    @Override
    public OptionalInt partitionsOf(String topic) {
        return client.partitionsOf(topic);
    }

    @Override
    public int maxValueBytes() {
        return maxValueBytes;
    }

    @Override
    public void flush() throws InterruptedException {
        outbox.awaitAnswers();
    }

    @Override
    public void restart() {
        if (outbox.isStopped() && areDone(outbox.doubtful())) {
            outbox.reopen();
        } // else the next message fails, too
    }

    /** Whether brokers have done all that they got from us. */
    private boolean areDone(Set<MessageQueue> queues) {
        if (queues.isEmpty()) {
            return true;
        }
        for (MessageQueue queue : queues) {
            if (!client.answers(queue)) {
                LOG.warn(
                        "a broker does not answer, waiting for what it may still do: broker={}", queue.getBrokerName());
                return false;
            }
        }
        try {
            time.sleep(Duration.ofMillis(hasAbandoned ? sendTimeoutMillis + SETTLE_MILLIS : SETTLE_MILLIS));
            hasAbandoned = false;
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What was on its way is in doubt then, so a restart waits for its brokers, as after a timeout. */
    @Override
    public void abandon() {
        SendFailure why = new SendFailure(
                new IllegalStateException("given up, since the broker does not answer"), FailureKind.PASSING, null);
        hasAbandoned = true;
        Outbox.Abandoned abandoned = outbox.abandon(why);
        Set<MessageQueue> queues = new HashSet<>(client.abandon());
        for (Lane lane : abandoned.onTheWay()) { // its request may not have reached the client yet
            client.queueOf(lane.topic(), lane.partition()).ifPresent(queues::add);
        }
        outbox.doubt(queues);
        answer(abandoned.messages(), why);
        outbox.settle(abandoned.messages());
    }

    @Override
    public void close(Duration longest) {
        if (outbox.close(longest)) {
            client.close();
            List<Waiting> left = outbox.giveUp();
            answer(left, Outbox.closedFailure());
            outbox.settle(left);
        }
    }
}
