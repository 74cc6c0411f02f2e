package io.sluice.connector.rocketmq;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.BrokerConnection;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.rocketmq.PartitionQueue.Waiting;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to the queues of RocketMQ that their partitions choose, modulo the topic's number of queues.
 *
 * <p>Each (topic, partition) has a {@link PartitionQueue}, of which one request is on its way at a time. A request of several
 * messages that is rejected is sent again in halves, so that only the invalid message is rejected. The client sends nothing after a
 * failure by itself, so a failure only halts the attempt.
 *
 * <p>A broker that did not answer in time may still carry the request out, later: then an old message could come after its
 * repetition and all that follows. So a restart waits for such brokers ({@link SettledBrokers#awaitDoubtful}), and the first message to each broker for what
 * former producers have sent ({@link FormerProducers}).
 */
final class RocketMqConnection implements BrokerConnection {
    private final RocketMqClient client;
    private final Ownership ownership;
    private final FormerProducers former;
    private final SettledBrokers brokers;
    private final MessageMaker messages;
    private final SendBuffer buffer;
    private final int maxValueBytes;
    private final long sendTimeoutMillis;

    /** Whether requests were given up that may still be in the client's own queue, which it empties within its timeout. */
    private volatile boolean isCut;

    /**
     * Has nothing in flight.
     *
     * @param former what the producers before this one have sent
     * @param brokers those that may be sent messages
     * @param requestBytes how much goes in a request
     */
    RocketMqConnection(
            Attempt attempt,
            RocketMqClient client,
            FormerProducers former,
            SettledBrokers brokers,
            RocketMqSettings settings,
            int requestBytes,
            Ownership ownership) {
        this.client = client;
        this.ownership = ownership;
        this.former = former;
        this.brokers = brokers;
        this.messages = new MessageMaker(settings.tag(), ownership);
        this.maxValueBytes = settings.maxMessageBytes();
        this.sendTimeoutMillis = settings.sendTimeout().toMillis();
        int compressOver = settings.compressOverBytes();
        this.buffer = new SendBuffer(
                attempt,
                settings.bufferBytes(),
                requestBytes,
                message -> compressOver > 0 && message.getBody().length > compressOver);
    }

    /** How much goes in a request; less than at first once a broker has rejected so much at once. */
    int requestBytes() {
        return buffer.requestBytes();
    }

    @Override
    public void send(Message message, DeliveryCallback callback)
            throws SendException, TimeoutException, InterruptedException {
        if (message.value().length > maxValueBytes) {
            throw new SendException(
                    FailureKind.TOO_LARGE,
                    "a message of %d bytes is larger than %s, %d"
                            .formatted(message.value().length, RocketMqSettingsReader.MAX_MESSAGE, maxValueBytes));
        }
        MessageMaker.checkTopic(message.topic());
        org.apache.rocketmq.common.message.Message made = messages.of(message);
        PartitionQueue queue = buffer.queue(message.topic(), message.partition());
        if (!former.haveEnded(message.topic(), message.partition())) {
            former.awaitEnd(message.topic(), message.partition());
        }
        buffer.add(queue, made, MessageMaker.bytesOf(made), callback);
        sendNext(queue);
    }

    private void sendNext(PartitionQueue queue) {
        List<Waiting> request = buffer.next(queue, client.takesBatches(queue.topic()));
        if (request.isEmpty()) {
            return;
        }
        if (!ownership.isHeld()) {
            end(queue, request, new RequestFailure(NotSentException.notOwned(), FailureKind.PASSING, null));
            return;
        }
        client.send(
                queue.topic(),
                queue.partition(),
                request.stream().map(Waiting::message).toList(),
                brokers::have,
                result -> end(queue, request, result));
    }

    /** Takes the answer to a queue's request; {@code result} is null if it was delivered. */
    private void end(PartitionQueue queue, List<Waiting> request, @Nullable RequestFailure result) {
        List<Waiting> dropped = buffer.end(queue, request, result);
        if (dropped != null) {
            answer(request, result == null ? null : result.failure());
            if (result != null) {
                answer(dropped, SendFailure.passing(NotSentException.after(result.cause())));
            }
            buffer.settle(queue, request, dropped);
        }
        sendNext(queue);
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
    public void flush() throws InterruptedException {
        buffer.awaitAnswers();
    }

    @Override
    public void settle(Duration limit) throws InterruptedException {
        buffer.awaitAnswers(limit);
    }

    /** It is in doubt whether requests on their way are carried out, so a restart waits for their brokers, as after a timeout. */
    @Override
    public void cut(Exception cause) {
        isCut = true;
        SendBuffer.Abandoned abandoned = buffer.abandon();
        Set<MessageQueue> inDoubt = new HashSet<>(client.abandon());
        for (PartitionQueue queue : abandoned.onTheWay()) { // its request may not have reached the client yet
            client.queueOf(queue.topic(), queue.partition()).ifPresent(inDoubt::add);
        }
        buffer.doubt(inDoubt);
        answer(abandoned.messages(), SendFailure.passing(NotSentException.after(cause)));
        buffer.settle(abandoned.messages());
    }

    /** Waits until brokers have done all that they have got and not answered. */
    @Override
    public void prepareRestart() {
        former.forgetQueues();
        brokers.awaitDoubtful(
                buffer.doubtful(), isCut ? SettledBrokers.SETTLE.plusMillis(sendTimeoutMillis) : SettledBrokers.SETTLE);
        buffer.reopen();
    }
}
