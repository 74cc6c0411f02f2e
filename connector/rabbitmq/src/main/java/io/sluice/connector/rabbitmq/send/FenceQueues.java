package io.sluice.connector.rabbitmq.send;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.sluice.connector.rabbitmq.node.BrokerAnswer;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queues of a connection that has passed the {@link Fence}, and must have them while it is open. It may not have the shared one yet, while the node is down that has the queue of an earlier producer:
 * then that one is declared soon after that node is back, so that the next producer finds it without that one. And a policy may let queues expire that are not used: a declaration counts as a use. One thread keeps them; the rest is thread-safe.
 */
final class FenceQueues {
    private static final Logger LOG = LoggerFactory.getLogger(FenceQueues.class);

    /** Before a queue is tried for the first time that the connection does not have; twice as long with each time: RabbitMQ logs two lines of each rejection. */
    static final Duration BEFORE_NEXT = Duration.ofSeconds(1);

    /** The longest time before such a queue is tried again. A further producer waits for the queue that replaces it meanwhile. */
    static final Duration LONGEST_BEFORE_NEXT = Duration.ofSeconds(15);

    /** Before all are declared again. */
    static final Duration BEFORE_RENEWAL = Duration.ofMinutes(1);

    /** A message to a queue finds whether its node is down: a policy must not make the queue reject it for another reason. */
    private static final Map<String, Object> ARGUMENTS = Map.of("x-overflow", "drop-head");

    private final Connection connection;
    private final List<String> queues;
    private final Time time;

    /** Null if the connection has all. */
    private volatile @Nullable String missing;

    private volatile Duration beforeNext = BEFORE_NEXT;
    private volatile boolean isAtLimit;
    private volatile long renewedNanos;
    private volatile long nextNanos;

    /**
     * Those of a connection.
     *
     * @param queues that it has
     * @param missing one that it shall have, too; null if there is none
     */
    FenceQueues(Connection connection, List<String> queues, @Nullable String missing, Time time) {
        this.connection = connection;
        this.queues = new ArrayList<>(queues);
        this.missing = missing;
        this.time = time;
        this.renewedNanos = time.nanos();
        this.nextNanos = renewedNanos + period().toNanos();
    }

    /** Declares a queue for a connection alone. */
    static AMQP.Queue.DeclareOk declare(Channel channel, String queue) throws IOException {
        return channel.queueDeclare(queue, false, true, false, ARGUMENTS);
    }

    private Duration period() {
        return missing == null ? BEFORE_RENEWAL : beforeNext;
    }

    /** Whether {@link #keep} is to be called now. */
    boolean isDue() {
        return connection.isOpen() && time.nanos() - nextNanos > 0;
    }

    /** Whether the question has closed the connection, since a user or a node may have no more channels. */
    boolean isAtLimit() {
        return isAtLimit;
    }

    /** Declares what the connection does not have, and from time to time all. */
    void keep() {
        boolean isAnswered = true;
        if (time.nanos() - renewedNanos >= BEFORE_RENEWAL.toNanos()) {
            renewedNanos = time.nanos();
            for (String queue : queues) {
                isAnswered = isAnswered && isAnswered(ask(queue));
            }
        }
        String wanted = missing;
        if (wanted != null && isAnswered) {
            BrokerAnswer answer = ask(wanted);
            isAnswered = isAnswered(answer);
            if (answer.isDone()) {
                LOG.info("the queue that fences off other producers is this connection's now: queue={}", wanted);
                queues.add(wanted);
                missing = null;
            }
            Duration doubled = beforeNext.multipliedBy(2);
            beforeNext = doubled.compareTo(LONGEST_BEFORE_NEXT) < 0 ? doubled : LONGEST_BEFORE_NEXT;
        }
        // A question without an answer keeps a channel, and the thread.
        nextNanos = time.nanos() + (isAnswered ? period() : BEFORE_RENEWAL).toNanos();
    }

    private BrokerAnswer ask(String queue) {
        BrokerAnswer answer = BrokerAnswer.to(connection, channel -> declare(channel, queue));
        if (!answer.isDone()) {
            LOG.debug("cannot keep a queue: queue={} kind={} cause={}", queue, answer.kind(), answer.text());
        }
        isAtLimit |= answer.kind() == BrokerAnswer.Kind.LIMIT && !connection.isOpen();
        return answer;
    }

    private static boolean isAnswered(BrokerAnswer answer) {
        return answer.kind() != BrokerAnswer.Kind.NONE;
    }
}
