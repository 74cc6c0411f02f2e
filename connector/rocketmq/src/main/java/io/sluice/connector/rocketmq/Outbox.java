package io.sluice.connector.rocketmq;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.rocketmq.Lane.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/**
 * What a producer has taken and not answered for: a lane for each (topic, partition), within a number of bytes.
 *
 * <p>Once a message has failed, what was taken after it is given up, in all lanes, and nothing more is taken until
 * {@link #reopen}; what was taken before it continues. Safe for use by several threads; it makes no callbacks.
 */
final class Outbox {
    /** Longer than requests can wait for one another, since each is answered or times out. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long NONE = Long.MAX_VALUE;

    private final int mostBytes;
    private final Predicate<Message> goesAlone;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();

    @GuardedBy("lock") private final Map<Destination, Lane> lanes = new HashMap<>();

    /** Queues of brokers that may still carry out what they did not answer. */
    @GuardedBy("lock") private final Set<MessageQueue> doubtful = new HashSet<>();

    @GuardedBy("lock") private long sequence;

    @GuardedBy("lock") private int unanswered;

    @GuardedBy("lock") private long bytes;

    /** How much goes in a request; less than at first once a broker has refused so much at once. */
    @GuardedBy("lock") private int requestBytes;

    @GuardedBy("lock") private @Nullable Exception failure;

    /** The first message that failed; {@link #NONE} if none has. */
    @GuardedBy("lock") private long failedFrom = NONE;

    @GuardedBy("lock") private boolean closed;

    private record Destination(String topic, int partition) {}

    /**
     * Begins empty.
     *
     * @param mostBytes how much may wait; a single message may be larger
     * @param requestBytes how much goes in a request
     * @param goesAlone which messages share their request with no other
     */
    Outbox(int mostBytes, int requestBytes, Predicate<Message> goesAlone) {
        this.mostBytes = mostBytes;
        this.requestBytes = requestBytes;
        this.goesAlone = goesAlone;
    }

    Lane lane(String topic, int partition) {
        lock.lock();
        try {
            return lanes.computeIfAbsent(new Destination(topic, partition), to -> new Lane(to.topic(), to.partition()));
        } finally {
            lock.unlock();
        }
    }

    /** Takes a message, after a wait for room. Returns why it does not; null if it does. */
    @Nullable SendFailure add(Lane lane, Message message, int messageBytes, DeliveryCallback callback) {
        lock.lock();
        try {
            SendFailure obstacle = awaitRoom(messageBytes);
            if (obstacle != null) {
                stopAt(sequence++, obstacle);
                return obstacle;
            }
            lane.add(new Waiting(sequence++, message, messageBytes, callback));
            unanswered++;
            bytes += messageBytes;
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Takes no message behind one that fails by itself. Returns why that one is not taken: it may be behind another. */
    SendFailure refuse(SendFailure own) {
        lock.lock();
        try {
            SendFailure before = obstacle();
            stopAt(sequence++, own);
            return before == null ? own : before;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private @Nullable SendFailure awaitRoom(int messageBytes) {
        long nanos = PATIENCE.toNanos();
        try {
            while (obstacle() == null && bytes > 0 && bytes + messageBytes > mostBytes) {
                if (nanos <= 0) {
                    return passing(new IllegalStateException("not sent, since %d bytes wait already, and %s allows %d"
                            .formatted(bytes, RocketMqSettings.BUFFER, mostBytes)));
                }
                nanos = answered.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return passing(e);
        }
        return obstacle();
    }

    @GuardedBy("lock") private @Nullable SendFailure obstacle() {
        if (closed) {
            return closedFailure();
        }
        return failure == null ? null : behind(failure);
    }

    private static SendFailure passing(Exception cause) {
        return new SendFailure(cause, FailureKind.PASSING, null);
    }

    /** How messages fail after one that failed. */
    static SendFailure behind(Exception cause) {
        return passing(new IllegalStateException("not sent, since a message before it failed: " + cause, cause));
    }

    /** How messages fail that a closed producer has or is given. */
    static SendFailure closedFailure() {
        return new SendFailure(
                new IllegalStateException("not sent, since the producer was closed"), FailureKind.BROKEN, null);
    }

    @GuardedBy("lock") private void stopAt(long failed, SendFailure why) {
        failedFrom = Math.min(failedFrom, failed);
        if (failure == null) {
            failure = why.cause();
        }
        if (why.doubtful() != null) {
            doubtful.add(why.doubtful());
        }
    }

    /**
     * Takes what goes in a lane's next request.
     *
     * @param together whether that may be several messages
     * @return empty if nothing waits, or a request is on its way
     */
    List<Waiting> next(Lane lane, boolean together) {
        lock.lock();
        try {
            return lane.take(together ? requestBytes : 0, goesAlone);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Notes what became of a request.
     *
     * @param result null if all of it was delivered
     * @return what is given up with it, to be answered for after it, and then {@link #settle settled}; null if the request
     *     is not to be answered for: its messages go again, or were given up before
     */
    @Nullable List<Waiting> end(Lane lane, List<Waiting> request, @Nullable SendFailure result) {
        lock.lock();
        try {
            if (!lane.isOnTheWay(request)) {
                return null;
            }
            if (result != null && isOfOneAmong(request, result.kind())) {
                lane.sendInHalves(request);
                if (result.kind() == FailureKind.TOO_LARGE) {
                    requestBytes = (int) Math.min(requestBytes, bytesOf(request) / 2);
                }
                return null;
            }
            lane.beginAnswer();
            List<Waiting> dropped = new ArrayList<>();
            if (result != null) {
                stopAt(request.get(0).sequence(), result);
                lanes.values().forEach(each -> dropped.addAll(each.dropBehind(failedFrom)));
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

    /** A lane's request, and what was given up with it, have been answered for. */
    void settle(Lane lane, List<Waiting> request, List<Waiting> dropped) {
        lock.lock();
        try {
            lane.free();
            remove(request);
            remove(dropped);
        } finally {
            lock.unlock();
        }
    }

    /** These have been answered for. */
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
     * @param messages to be answered for by the caller, and then {@link #settle(List) settled}
     * @param onTheWay the lanes that had a request on the way; what becomes of that is in doubt
     */
    record Abandoned(List<Waiting> messages, List<Lane> onTheWay) {}

    /** Gives up all that is not answered for, and takes nothing until {@link #reopen}. */
    Abandoned abandon(SendFailure why) {
        lock.lock();
        try {
            stopAt(0, why);
            List<Lane> onTheWay =
                    lanes.values().stream().filter(Lane::hasRequest).toList();
            return new Abandoned(giveUp(), onTheWay);
        } finally {
            lock.unlock();
        }
    }

    /** Notes queues of brokers that may still carry out what they did not answer. */
    void doubt(Set<MessageQueue> queues) {
        lock.lock();
        try {
            doubtful.addAll(queues);
        } finally {
            lock.unlock();
        }
    }

    /** Whether nothing is taken since something failed. */
    boolean isStopped() {
        lock.lock();
        try {
            return failure != null && !closed;
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

    /** Takes messages again; nothing is in doubt any more. */
    void reopen() {
        lock.lock();
        try {
            failure = null;
            failedFrom = NONE;
            doubtful.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all that was taken is answered for. */
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

    /** Takes no more, and waits at most so long for what was taken. Returns false if it was closed before. */
    boolean close(Duration longest) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            closed = true;
            answered.signalAll(); // for threads that wait for room
            long nanos = longest.toNanos();
            while (unanswered > 0 && nanos > 0) {
                nanos = answered.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        return true;
    }

    /** Takes out all that is not answered for; the caller answers, and then {@link #settle(List) settles} it. */
    List<Waiting> giveUp() {
        lock.lock();
        try {
            List<Waiting> left = new ArrayList<>();
            lanes.values().forEach(lane -> left.addAll(lane.dropAll()));
            return left;
        } finally {
            lock.unlock();
        }
    }

    /** What was given up has been answered for. */
    void settle(List<Waiting> givenUp) {
        lock.lock();
        try {
            remove(givenUp);
        } finally {
            lock.unlock();
        }
    }
}
