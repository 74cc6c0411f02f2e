package io.sluice.connector.rocketmq;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.rocketmq.PartitionQueue.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt has taken and not answered: a queue for each (topic, partition), within a number of bytes.
 *
 * <p>Once a message has failed, the attempt is halted, and what was taken after that message is given up, in all queues; what was
 * taken before it continues. The attempt is halted under the lock under which messages are taken. Thread-safe;
 * it calls no callbacks.
 */
final class SendBuffer {
    /** Longer than requests can wait for one another, since each is answered or times out. */
    private static final Duration ROOM_TIMEOUT = Duration.ofSeconds(30);

    private static final long NONE = Long.MAX_VALUE;

    private final Attempt attempt;
    private final int mostBytes;
    private final Predicate<Message> goesAlone;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();

    @GuardedBy("lock") private final Map<Destination, PartitionQueue> queues = new HashMap<>();

    /** Queues of brokers that may still carry out what they did not answer. */
    @GuardedBy("lock") private final Set<MessageQueue> doubtful = new HashSet<>();

    @GuardedBy("lock") private long sequence;

    @GuardedBy("lock") private int unanswered;

    @GuardedBy("lock") private long bytes;

    /** How much goes in a request; less than at first once a broker has rejected so much at once. */
    @GuardedBy("lock") private int requestBytes;

    /** The first message that failed; {@link #NONE} if none has. */
    @GuardedBy("lock") private long failedFrom = NONE;

    private record Destination(String topic, int partition) {}

    /**
     * Begins empty.
     *
     * @param attempt halted when a message fails
     * @param mostBytes how much may wait; a single message may be larger
     * @param requestBytes how much goes in a request
     * @param goesAlone which messages share their request with no other
     */
    SendBuffer(Attempt attempt, int mostBytes, int requestBytes, Predicate<Message> goesAlone) {
        this.attempt = attempt;
        this.mostBytes = mostBytes;
        this.requestBytes = requestBytes;
        this.goesAlone = goesAlone;
    }

    PartitionQueue queue(String topic, int partition) {
        lock.lock();
        try {
            return queues.computeIfAbsent(
                    new Destination(topic, partition), to -> new PartitionQueue(to.topic(), to.partition()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a message, after a wait for room.
     *
     * @throws NotSentException if the attempt is not open
     * @throws TimeoutException if there is no room in time
     */
    void add(PartitionQueue queue, Message message, int messageBytes, DeliveryCallback callback)
            throws InterruptedException, TimeoutException {
        lock.lock();
        try {
            awaitRoom(messageBytes);
            queue.add(new Waiting(sequence++, message, messageBytes, callback));
            unanswered++;
            bytes += messageBytes;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void awaitRoom(int messageBytes) throws InterruptedException, TimeoutException {
        long nanos = ROOM_TIMEOUT.toNanos();
        requireOpen();
        while (bytes > 0 && bytes + messageBytes > mostBytes) {
            if (nanos <= 0) {
                throw new TimeoutException("not sent: %d bytes are in flight, %s allows %d"
                        .formatted(bytes, RocketMqSettingsReader.BUFFER, mostBytes));
            }
            nanos = answered.awaitNanos(nanos);
            requireOpen();
        }
    }

    private void requireOpen() {
        Exception failure = attempt.failure();
        if (failure != null) {
            throw NotSentException.after(failure);
        }
    }

    @GuardedBy("lock") private void halt(long failed, RequestFailure why) {
        failedFrom = Math.min(failedFrom, failed);
        attempt.halt(why.cause());
        if (why.doubtful() != null) {
            doubtful.add(why.doubtful());
        }
    }

    /**
     * Takes what goes in a queue's next request.
     *
     * @param together whether that may be several messages
     * @return empty if nothing waits, or a request is on its way
     */
    List<Waiting> next(PartitionQueue queue, boolean together) {
        lock.lock();
        try {
            return queue.take(together ? requestBytes : 0, goesAlone);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Notes what became of a request.
     *
     * @param result null if all of it was delivered
     * @return what is given up with it, to be answered after it, and then {@link #settle settled}; null if the request
     *     is not to be answered: its messages go again, or were given up before
     */
    @Nullable List<Waiting> end(PartitionQueue queue, List<Waiting> request, @Nullable RequestFailure result) {
        lock.lock();
        try {
            if (!queue.isOnTheWay(request)) {
                return null;
            }
            if (result != null && isOfOneAmong(request, result.kind())) {
                queue.sendInHalves(request);
                if (result.kind() == FailureKind.TOO_LARGE) {
                    requestBytes = (int) Math.min(requestBytes, bytesOf(request) / 2);
                }
                return null;
            }
            queue.beginAnswer();
            List<Waiting> dropped = new ArrayList<>();
            if (result != null) {
                halt(request.get(0).sequence(), result);
                queues.values().forEach(each -> dropped.addAll(each.dropBehind(failedFrom)));
            }
            return dropped;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the fault may be that of only some messages of a request. They are all of one topic. */
    private static boolean isOfOneAmong(List<Waiting> request, FailureKind kind) {
        return switch (kind) {
            case TOO_LARGE, INVALID -> request.size() > 1;
            case TOPIC_UNAVAILABLE, PASSING, BROKEN -> false;
        };
    }

    /** A queue's request, and what was given up with it, have been answered. */
    void settle(PartitionQueue queue, List<Waiting> request, List<Waiting> dropped) {
        lock.lock();
        try {
            queue.free();
            remove(request);
            remove(dropped);
        } finally {
            lock.unlock();
        }
    }

    /** These have been answered. */
    @GuardedBy("lock") private void remove(List<Waiting> some) {
        unanswered -= some.size();
        bytes -= bytesOf(some);
        answered.signalAll();
    }

    private static long bytesOf(List<Waiting> some) {
        return some.stream().mapToLong(Waiting::bytes).sum();
    }

    /**
     * What was given up.
     *
     * @param messages to be answered by the caller, and then {@link #settle(List) settled}
     * @param onTheWay the queues that had a request on its way; whether that is carried out is in doubt
     */
    record Abandoned(List<Waiting> messages, List<PartitionQueue> onTheWay) {}

    /** Gives up all that is not answered. */
    Abandoned abandon() {
        lock.lock();
        try {
            List<PartitionQueue> onTheWay =
                    queues.values().stream().filter(PartitionQueue::hasRequest).toList();
            List<Waiting> left = new ArrayList<>();
            queues.values().forEach(queue -> left.addAll(queue.dropAll()));
            return new Abandoned(left, onTheWay);
        } finally {
            lock.unlock();
        }
    }

    /** Notes queues of brokers that may still carry out what they did not answer. */
    void doubt(Set<MessageQueue> some) {
        lock.lock();
        try {
            doubtful.addAll(some);
        } finally {
            lock.unlock();
        }
    }

    /** Queues of brokers that may still carry out what they did not answer. */
    Set<MessageQueue> doubtful() {
        lock.lock();
        try {
            return Set.copyOf(doubtful);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the failure, before the attempt is resumed; nothing is in doubt any more. */
    void reopen() {
        lock.lock();
        try {
            failedFrom = NONE;
            doubtful.clear();
        } finally {
            lock.unlock();
        }
    }

    /** How much goes in a request now. */
    int requestBytes() {
        lock.lock();
        try {
            return requestBytes;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all that was taken is answered. */
    void awaitAnswers() throws InterruptedException {
        lock.lock();
        try {
            while (unanswered > 0) {
                answered.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for all answers, at most so long; the attempt was halted, which ends all waits for room. */
    void awaitAnswers(Duration limit) throws InterruptedException {
        lock.lock();
        try {
            answered.signalAll();
            long nanos = limit.toNanos();
            while (unanswered > 0 && nanos > 0) {
                nanos = answered.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** What was given up has been answered. */
    void settle(List<Waiting> givenUp) {
        lock.lock();
        try {
            remove(givenUp);
        } finally {
            lock.unlock();
        }
    }
}
