package io.sluice.connector.rabbitmq.send;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.rabbitmq.failure.RabbitErrors;
import io.sluice.connector.rabbitmq.node.BrokerAnswer;
import io.sluice.connector.rabbitmq.node.Khepri;
import io.sluice.connector.rabbitmq.node.ProbeQueue;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sure that a producer has one connection at a time at the broker, and the producers of a destination, too.
 *
 * <p>A broker that was paused or cut off may still have an earlier connection, with messages in it that it has not read
 * yet. Messages of a new connection could then overtake them. So each connection first declares queues for itself alone: the broker
 * rejects that until the connection that has a queue of that name, and all that was in it, is gone.
 *
 * <p>One queue is of this producer alone, and is waited for without a limit. The other one is shared with the producers before and after
 * this one, over restarts and fail-overs. Another Sluice may have a destination of the same name, so it is waited for with a limit, after
 * which this producer does without it. One thread passes it at a time; another one keeps it closed behind the connection.
 */
public final class Fence {
    private static final Logger LOG = LoggerFactory.getLogger(Fence.class);
    /** How many letters a name has that is as short as can be. */
    private static final int SHORT_NAME = 8;

    /** In the name of the queue that replaces the shared one while the node of that one is down. */
    private static final String INSTEAD = "~";

    /** How many names of such queues are looked at beyond the one that a connection gets: as many nodes may have failed one after another, of which none has an earlier producer any more. */
    private static final int REPLACEMENTS = 3;

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** Until it is asked, and asked again, whether the node of a queue is down. Most queues are gone before. */
    private static final Duration BEFORE_QUESTION = Duration.ofSeconds(1);

    /** After longer than that without a check, as while the broker was paused, the limit starts again. */
    private static final Duration LONGEST_GAP = Duration.ofSeconds(90);

    private final boolean enabled;
    private final Duration sharedLimit;
    private final Time time;
    private final AtomicBoolean hasWarned = new AtomicBoolean();
    private final AtomicBoolean hasWarnedOfQuestion = new AtomicBoolean();
    /** Whether RabbitMQ has closed a connection for one channel more. */
    private volatile boolean hasReachedLimit;

    /** The queues of the connection that has passed; null if none has, or it may not have any. */
    private volatile @Nullable FenceQueues passed;

    /** The queues that the connection which passes may not declare. */
    private final Set<String> refused = ConcurrentHashMap.newKeySet();

    private volatile String own = ProbeQueue.PREFIX + UUID.randomUUID();

    /** Null if it is not waited for any more. */
    private volatile @Nullable String shared;

    /** Since when a connection of another producer has had the shared queue; null if none has. */
    private volatile @Nullable Long lockedNanos;

    private volatile long lookedNanos;

    /** When it was last asked whether the node of a queue is down, or began to wait for it. */
    private volatile long askedNanos;

    /**
     * A fence that no connection has passed.
     *
     * @param name what the producers of the destination have in common
     * @param sharedLimit how long the connection of another producer of that name is waited for
     */
    public Fence(boolean enabled, String name, Duration sharedLimit, Time time) {
        this.enabled = enabled;
        this.shared = ProbeQueue.PREFIX + name;
        this.sharedLimit = sharedLimit;
        this.time = time;
    }

    /**
     * Returns when no other connection of this producer, or of one before it, is left at the broker.
     *
     * @throws SendException that passes if there still is one after the given time
     */
    public void pass(Connection connection, Duration atMost) throws IOException, SendException {
        if (!enabled) {
            return;
        }
        passed = null;
        refused.clear();
        long begin = time.nanos();
        askedNanos = begin;
        while (!isDeclared(connection, own)) {
            if (isHomeDown(connection, own, atMost)) {
                own = ProbeQueue.PREFIX + UUID.randomUUID();
            } else {
                await(
                        begin,
                        atMost,
                        "RabbitMQ has not yet closed an earlier connection, whose messages must come first");
            }
        }
        String queue = shared;
        int isDown = 0;
        askedNanos = time.nanos();
        while (queue != null && !isSharedDeclared(connection, queue)) {
            // Only a node that reaches a majority has declared the other queue.
            if (isHomeDown(connection, queue, atMost)) {
                isDown++;
                queue = shared + INSTEAD + isDown; // the producer after this one finds that one
            } else if (isOverdue(queue)) {
                queue = null;
            } else {
                await(begin, atMost, earlierProducer(queue));
            }
        }
        if (queue != null && !refused.contains(queue) && Khepri.mayBeUsedBy(connection)) {
            awaitReplacements(connection, isDown + 1, begin, atMost);
        }
        lockedNanos = null;
        List<String> queues = new ArrayList<>(queue == null ? List.of(own) : List.of(own, queue));
        queues.removeAll(refused);
        String missing = isDown > 0 ? shared : null;
        passed = queues.isEmpty() && missing == null ? null : new FenceQueues(connection, queues, missing, time);
    }

    /**
     * Waits for producers that have passed while the nodes were down that had the queues before. They may not have taken those yet, as while they are paused: each still has the one that replaces them. One that has both loses
     * both with its node, so a later one may have a further name while the first of them is free.
     */
    private void awaitReplacements(Connection connection, int first, long begin, Duration atMost)
            throws IOException, SendException {
        for (int number = first; number < first + REPLACEMENTS; number++) {
            String queue = shared + INSTEAD + number;
            askedNanos = time.nanos();
            while (!isFree(connection, queue) && !isHomeDown(connection, queue, atMost)) {
                if (isOverdue(queue)) {
                    return;
                }
                await(begin, atMost, earlierProducer(queue));
            }
        }
    }

    /** Whether no other connection has the queue, which is then deleted again. A right or a limit that keeps it from being declared kept the other producers from it, too: the broker looks for the queue before it counts. */
    private static boolean isFree(Connection connection, String queue) throws SendException {
        BrokerAnswer answer = BrokerAnswer.to(connection, channel -> {
            FenceQueues.declare(channel, queue);
            channel.queueDelete(queue);
        });
        BrokerAnswer.Kind kind = connection.isOpen() ? answer.kind() : BrokerAnswer.Kind.NONE;
        return switch (kind) {
            case DONE, MISSING, FORBIDDEN, LIMIT -> true;
            case LOCKED, UNUSABLE, REJECTED -> false;
            // A question without an answer keeps a channel.
            case NOT_READY, UNREACHABLE, NONE, NOT_ASKED ->
                throw new SendException(
                        FailureKind.PASSING,
                        "whether RabbitMQ has closed the connection of an earlier producer is not known: queue=%s cause=%s"
                                .formatted(queue, answer.text()));
        };
    }

    private static String earlierProducer(String queue) {
        return "RabbitMQ has not yet closed the connection of an earlier producer, whose messages must come first: queue="
                + queue;
    }

    private boolean isHomeDown(Connection connection, String queue, Duration atMost) throws IOException, SendException {
        if (time.nanos() - askedNanos < BEFORE_QUESTION.toNanos()) {
            return false;
        }
        askedNanos = time.nanos();
        return switch (HomeOfQueue.of(connection, queue, atMost)) {
            case DOWN -> {
                LOG.info("the node of an earlier connection to RabbitMQ is down, not waiting for it: queue={}", queue);
                yield true;
            }
            case BLOCKED -> throw notClosed(RabbitErrors.BLOCKED, queue);
            case NO_ANSWER -> throw notClosed("it does not answer whether the node of that one is down", queue);
            case REFUSED -> {
                if (hasWarnedOfQuestion.compareAndSet(false, true)) {
                    LOG.warn(
                            "the RabbitMQ user may not write to amq.default, so an earlier connection is waited for also while its node is down");
                }
                yield false;
            }
            case UNKNOWN -> false;
        };
    }

    /** The broker may not read what else is sent by this connection. */
    private static SendException notClosed(String why, String queue) {
        return new SendException(
                FailureKind.PASSING,
                "RabbitMQ has not yet closed an earlier connection, whose messages must come first: %s: queue=%s"
                        .formatted(why, queue));
    }

    private void await(long begin, Duration atMost, String reason) throws SendException {
        if (time.nanos() - begin > atMost.toNanos()) {
            throw new SendException(FailureKind.PASSING, reason);
        }
        try {
            time.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SendException(FailureKind.PASSING, "interrupted while connecting", e);
        }
    }

    /** Most rejections by the broker, such as that its node is not there, pass or are given up in the end. A limit, and a right that could not be looked up, say nothing about another connection. */
    private boolean isSharedDeclared(Connection connection, String queue) throws IOException {
        try {
            return isDeclared(connection, queue);
        } catch (IOException e) {
            int code = RabbitErrors.codeOf(e);
            String text = RabbitErrors.textOf(e);
            if (!connection.isOpen()
                    || code == AMQP.ACCESS_REFUSED
                    || RabbitErrors.isOfBackend(code, text)
                    || RabbitErrors.isLimit(code, text)) {
                throw e;
            }
            LOG.debug("cannot declare a queue: queue={} cause={}", queue, text);
            return false;
        }
    }

    /** Whether the connection of another producer has been there for too long; it is not waited for any more then. */
    private boolean isOverdue(String queue) {
        long now = time.nanos();
        Long since = lockedNanos;
        boolean isGap = now - lookedNanos > LONGEST_GAP.toNanos();
        lookedNanos = now;
        if (since == null || isGap) {
            lockedNanos = now;
            return false;
        }
        if (now - since <= sharedLimit.toNanos()) {
            return false;
        }
        shared = null;
        LOG.warn(
                "another connection to RabbitMQ does not let go of the queue that fences off earlier producers, sending without it;"
                        + " if it is that of another Sluice, set rabbitmq.fence.name: queue={} limitSeconds={}",
                queue,
                sharedLimit.toSeconds());
        return true;
    }

    private boolean isDeclared(Connection connection, String queue) throws IOException {
        Channel channel = connection.createChannel();
        try {
            FenceQueues.declare(channel, queue);
            channel.abort(); // the queue is the connection's
            return true;
        } catch (IOException e) {
            if (RabbitErrors.codeOf(e) == AMQP.RESOURCE_LOCKED) {
                return false;
            }
            if (isRightMissing(connection, e)) {
                refused.add(queue);
                if (hasWarned.compareAndSet(false, true)) {
                    LOG.warn(
                            "the RabbitMQ user may not declare queues named sluice.producer.*, so after a lost connection"
                                    + " messages may overtake earlier ones: queue={} cause={}",
                            queue,
                            RabbitErrors.textOf(e));
                }
                return true;
            }
            throw e;
        }
    }

    /** The name of a queue may leave no room in the text for the words that tell it from a right that could not be looked up: then a queue with a short name is declared. */
    private static boolean isRightMissing(Connection connection, IOException rejection) {
        int code = RabbitErrors.codeOf(rejection);
        String text = RabbitErrors.textOf(rejection);
        if (code != AMQP.ACCESS_REFUSED || RabbitErrors.isOfBackend(code, text)) {
            return false;
        }
        if (!RabbitErrors.mayBeOfBackend(text)) {
            return true;
        }
        String queue = ProbeQueue.PREFIX + UUID.randomUUID().toString().substring(0, SHORT_NAME);
        BrokerAnswer answer = BrokerAnswer.to(connection, channel -> {
            FenceQueues.declare(channel, queue);
            channel.queueDelete(queue);
        });
        return answer.kind() == BrokerAnswer.Kind.FORBIDDEN && !RabbitErrors.mayBeOfBackend(answer.text());
    }

    /** Whether {@link #keep} is to be called now. Thread-safe. */
    public boolean isToBeKept() {
        FenceQueues queues = passed;
        return queues != null && !hasReachedLimit && queues.isDue();
    }

    /** Declares what the connection that has passed does not have yet, and all of it once a minute. May take long; another thread may wait for the next connection meanwhile. */
    public void keep() {
        FenceQueues queues = passed;
        if (queues == null || !queues.isDue()) {
            return;
        }
        queues.keep();
        if (queues.isAtLimit()) {
            hasReachedLimit = true; // or the next connection would be closed for it, too
            LOG.info(
                    "RabbitMQ has closed a connection over a channel by which its fence is kept, it is not kept any more");
        }
    }
}
