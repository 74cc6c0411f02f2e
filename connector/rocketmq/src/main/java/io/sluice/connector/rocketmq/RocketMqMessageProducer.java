package io.sluice.connector.rocketmq;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.rocketmq.Lane.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages to the queues of RocketMQ that their partitions choose, modulo the topic's number of queues.
 *
 * <p>Each (topic, partition) has a lane, in which one request is on its way at a time; lanes go side by side. When a request
 * fails, what was taken behind its first message is given up, in all lanes, and nothing more is taken until
 * {@link #restart}; what was taken before goes on. A request of several messages that is refused is sent again in
 * halves, so that only the message is refused that is bad.
 *
 * <p>A broker that did not answer in time may still carry the request out, later: then an old message could come behind its
 * repetition and all that follows. So {@link #restart} waits until such a broker answers again, and for what it had received
 * before to be done.
 */
final class RocketMqMessageProducer implements MessageProducer {
    private static final Logger LOG = LoggerFactory.getLogger(RocketMqMessageProducer.class);

    /** Longer than sends can wait for one another, since each is answered or times out. */
    private static final Duration BUFFER_PATIENCE = Duration.ofSeconds(30);

    /** For so long a broker lets requests wait before it refuses them (its waitTimeMillsInSendQueue), and some more. */
    private static final long SETTLE_MILLIS = 400;

    private static final long NONE = Long.MAX_VALUE;

    private final BrokerClient client;
    private final RocketMqSettings settings;
    private final Ownership ownership;
    private final OutgoingMessages messages;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();

    @GuardedBy("lock") private final Map<Destination, Lane> lanes = new HashMap<>();

    /** Queues of brokers that may still carry out what they did not answer. */
    @GuardedBy("lock") private final Set<MessageQueue> doubtful = new HashSet<>();

    @GuardedBy("lock") private long taken;

    @GuardedBy("lock") private int unanswered;

    @GuardedBy("lock") private long bufferedBytes;

    @GuardedBy("lock") private @Nullable Exception failure;

    /** The first message that failed; {@link #NONE} if none has. */
    @GuardedBy("lock") private long failedFrom = NONE;

    /** Less than the setting once a broker has refused so much at once. */
    @GuardedBy("lock") private int batchBytes;

    @GuardedBy("lock") private boolean closed;

    private record Destination(String topic, int partition) {}

    /** Takes a client, which is closed here. */
    RocketMqMessageProducer(BrokerClient client, RocketMqSettings settings, Ownership ownership) {
        this.client = client;
        this.settings = settings;
        this.ownership = ownership;
        this.messages = new OutgoingMessages(settings.tag(), ownership);
        this.batchBytes = settings.batchBytes();
    }

    @Override
    public void send(Message message, DeliveryCallback callback) {
        Exception refusal = null;
        FailureKind kind = FailureKind.REFUSED;
        Lane lane = null;
        org.apache.rocketmq.common.message.Message made = null;
        int bytes = 0;
        try {
            if (message.value().length > settings.maxMessageBytes()) {
                kind = FailureKind.TOO_LARGE;
                refusal = new IllegalArgumentException("a message of %d bytes is larger than %s, %d"
                        .formatted(message.value().length, RocketMqSettings.MAX_MESSAGE, settings.maxMessageBytes()));
            } else {
                made = messages.of(message);
                bytes = OutgoingMessages.bytesOf(made);
            }
        } catch (IllegalArgumentException e) {
            refusal = e;
        }
        lock.lock();
        try {
            Exception inTheWay = awaitRoom(bytes);
            if (inTheWay != null) {
                kind = closed ? FailureKind.BROKEN : FailureKind.PASSING;
                refusal = inTheWay;
            }
            if (refusal != null || made == null) {
                failure = failure == null ? refusal : failure;
                failedFrom = Math.min(failedFrom, taken);
            } else {
                lane = lanes.computeIfAbsent(
                        new Destination(message.topic(), message.partition()),
                        to -> new Lane(to.topic(), to.partition()));
                lane.add(new Waiting(taken, made, bytes, callback));
                unanswered++;
                bufferedBytes += bytes;
            }
            taken++;
        } finally {
            lock.unlock();
        }
        if (lane == null) {
            callback.failed(refusal == null ? new IllegalStateException("not sent") : refusal, kind);
        } else {
            sendNext(lane);
        }
    }

    /** Waits until there is room in the buffer. Returns why nothing can be taken, or null. */
    @GuardedBy("lock") private @Nullable Exception awaitRoom(int bytes) {
        long nanos = BUFFER_PATIENCE.toNanos();
        try {
            while (!closed && failure == null && bufferedBytes > 0 && bufferedBytes + bytes > settings.bufferBytes()) {
                if (nanos <= 0) {
                    return new IllegalStateException("not sent, since %d bytes wait already and %s are allowed"
                            .formatted(bufferedBytes, RocketMqSettings.BUFFER));
                }
                nanos = answered.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e;
        }
        if (closed) {
            return new IllegalStateException("not sent, since the producer was closed");
        }
        return failure == null
                ? null
                : new IllegalStateException("not sent, since a message before it failed: " + failure, failure);
    }

    private void sendNext(Lane lane) {
        List<Waiting> request;
        lock.lock();
        try {
            int most = client.takesBatches(lane.topic()) ? batchBytes : 0;
            request = lane.take(most, this::goesAlone);
        } finally {
            lock.unlock();
        }
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

    private boolean goesAlone(org.apache.rocketmq.common.message.Message message) {
        return settings.compressOverBytes() > 0 && message.getBody().length > settings.compressOverBytes();
    }

    /** What a lane had on its way was answered, in one way or the other. */
    private void end(Lane lane, List<Waiting> request, @Nullable SendFailure result) {
        List<Waiting> dropped = new ArrayList<>();
        boolean isAnswer = true;
        lock.lock();
        try {
            if (!lane.isOnTheWay(request)) {
                return; // given up by close
            }
            if (result != null && result.kind().isOfTheMessage() && request.size() > 1) {
                lane.sendInHalves(request);
                if (result.kind() == FailureKind.TOO_LARGE) {
                    batchBytes = (int) Math.min(batchBytes, bytesOf(request) / 2);
                }
                isAnswer = false;
            } else {
                lane.beginAnswer();
                if (result != null) {
                    dropped = fail(request.get(0).sequence(), result);
                }
            }
        } finally {
            lock.unlock();
        }
        if (isAnswer) {
            answer(request, result);
            if (result != null) {
                answer(dropped, notSent(result));
            }
            settle(lane, request, dropped);
        }
        sendNext(lane);
    }

    @GuardedBy("lock") private List<Waiting> fail(long sequence, SendFailure result) {
        failedFrom = Math.min(failedFrom, sequence);
        failure = failure == null ? result.cause() : failure;
        if (result.doubtful() != null) {
            doubtful.add(result.doubtful());
        }
        List<Waiting> dropped = new ArrayList<>();
        lanes.values().forEach(lane -> dropped.addAll(lane.dropBehind(failedFrom)));
        return dropped;
    }

    private static SendFailure notSent(SendFailure before) {
        return new SendFailure(
                new IllegalStateException(
                        "not sent, since a message before it failed: " + before.cause(), before.cause()),
                FailureKind.PASSING,
                null);
    }

    private static void answer(List<Waiting> request, @Nullable SendFailure result) {
        for (Waiting next : request) {
            if (result == null) {
                next.callback().delivered();
            } else {
                next.callback().failed(result.cause(), result.kind());
            }
        }
    }

    private void settle(Lane lane, List<Waiting> request, List<Waiting> dropped) {
        lock.lock();
        try {
            lane.free();
            unanswered -= request.size() + dropped.size();
            bufferedBytes -= bytesOf(request) + bytesOf(dropped);
            answered.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static long bytesOf(List<Waiting> some) {
        return some.stream().mapToLong(Waiting::bytes).sum();
    }

    @Override
    public OptionalInt partitionsOf(String topic) {
        return client.partitionsOf(topic);
    }

    @Override
    public int maxValueBytes() {
        return settings.maxMessageBytes();
    }

    @Override
    public void flush() throws InterruptedException {
        lock.lock();
        try {
            while (unanswered > 0) {
                answered.await();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void restart() {
        List<MessageQueue> toAsk;
        lock.lock();
        try {
            if (failure == null || closed) {
                return;
            }
            toAsk = List.copyOf(doubtful);
        } finally {
            lock.unlock();
        }
        if (!areDone(toAsk)) {
            return; // the next message fails, too
        }
        lock.lock();
        try {
            failure = null;
            failedFrom = NONE;
            doubtful.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Whether brokers have done all that they got from us. */
    private boolean areDone(List<MessageQueue> queues) {
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
            TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close(Duration longest) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            answered.signalAll(); // for those who wait to send
            long nanos = longest.toNanos();
            while (unanswered > 0 && nanos > 0) {
                nanos = answered.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        client.close();
        giveUp();
    }

    private void giveUp() {
        List<Waiting> left = new ArrayList<>();
        lock.lock();
        try {
            lanes.values().forEach(lane -> left.addAll(lane.dropAll()));
        } finally {
            lock.unlock();
        }
        answer(
                left,
                new SendFailure(
                        new IllegalStateException("not sent, since the producer was closed"),
                        FailureKind.BROKEN,
                        null));
        lock.lock();
        try {
            unanswered -= left.size();
            bufferedBytes -= bytesOf(left);
            answered.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
