package io.sluice.connector.rocketmq;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The brokers that have carried out all that was sent to them before, and may be sent messages.
 *
 * <p>A broker that answers a question reads its connections. It gets time for what it had received before: by then it has stored or
 * rejected that, and is settled. It stays so until a request to it gets no answer. All brokers of a topic are asked at the same time, and the time
 * runs for each of them from its own answer.
 *
 * <p>A broker that does not answer may return and still carry out what it has, so nothing may be sent to it; one that had not answered a request, and that
 * the name servers have not listed for longer than a restart takes, does not hold up the other brokers. Thread-safe;
 * whether a broker is settled is read without a lock.
 */
final class SettledBrokers {
    private static final Logger LOG = LoggerFactory.getLogger(SettledBrokers.class);

    /** For so long a broker lets requests wait before it rejects them (its waitTimeMillsInSendQueue), and some more. */
    static final Duration SETTLE = Duration.ofMillis(400);

    private final RocketMqQueries queries;
    private final UnlistedBrokers unlisted;
    private final Time time;
    private final Set<String> settled = ConcurrentHashMap.newKeySet();

    /** When the brokers that were asked, and are not settled yet, have answered. */
    @GuardedBy("this") private final Map<String, CompletableFuture<Long>> answerNanos = new HashMap<>();

    /** Knows of no broker that is settled. */
    SettledBrokers(RocketMqQueries queries, RocketMqSettings settings, Time time) {
        this.queries = queries;
        this.unlisted = new UnlistedBrokers(MissingTopics.GRACE.plus(settings.sendTimeout()), time);
        this.time = time;
    }

    /** Whether a message may be sent to a queue: its broker is settled. */
    boolean have(MessageQueue queue) {
        return settled.contains(queries.brokerOf(queue));
    }

    /**
     * Returns when the broker of a queue is settled.
     *
     * @param others queues whose brokers are asked at the same time, since they may be needed next
     * @throws NotSentException if it does not answer
     */
    synchronized void await(MessageQueue wanted, Collection<MessageQueue> others) {
        ask(others);
        Map<String, MessageQueue> byBroker = byBroker(List.of(wanted));
        requireAnswers(silentAmong(byBroker), Set.of());
        settle(byBroker.keySet(), SETTLE);
    }

    /** Returns when the brokers of some queues are settled, but for those that do not answer. */
    synchronized void awaitThoseThatAnswer(Collection<MessageQueue> queues) {
        Map<String, MessageQueue> byBroker = byBroker(queues);
        silentAmong(byBroker).forEach(byBroker::remove);
        settle(byBroker.keySet(), SETTLE);
    }

    /**
     * Returns when nothing is carried out any more that was sent to the brokers of these queues and was not answered.
     *
     * @param settle how long that takes a broker that answers
     * @throws NotSentException if one of them does not answer, and may return
     */
    synchronized void awaitDoubtful(Collection<MessageQueue> queues, Duration settle) {
        Map<String, MessageQueue> byBroker = byBroker(queues);
        settled.removeAll(byBroker.keySet());
        List<String> silent = silentAmong(byBroker);
        if (!silent.isEmpty()) {
            requireAnswers(silent, goneAmong(silent));
            LOG.warn(
                    "brokers that do not answer are not waited for any more, since the name servers have not listed them for"
                            + " too long; if they return, they may store old messages after newer ones:"
                            + " brokers={} limitSeconds={}",
                    silent,
                    unlisted.limit().toSeconds());
            silent.forEach(byBroker::remove);
        }
        settle(byBroker.keySet(), settle);
    }

    private Map<String, MessageQueue> byBroker(Collection<MessageQueue> queues) {
        Map<String, MessageQueue> byBroker = new TreeMap<>();
        queues.forEach(queue -> byBroker.put(queries.brokerOf(queue), queue));
        return byBroker;
    }

    /** Asks the brokers that are not settled, and have not been asked before. */
    @GuardedBy("this") private void ask(Collection<MessageQueue> queues) {
        answerNanos.values().removeIf(CompletableFuture::isCompletedExceptionally);
        Map<String, MessageQueue> toAsk = byBroker(queues);
        toAsk.keySet().removeAll(settled);
        toAsk.keySet().removeAll(answerNanos.keySet());
        queries.ask(toAsk).forEach((broker, answer) -> answerNanos.put(broker, answer.thenApply(any -> time.nanos())));
    }

    /** Waits for answers, all at the same time; returns the brokers that have not answered. */
    @GuardedBy("this") private List<String> silentAmong(Map<String, MessageQueue> byBroker) {
        ask(byBroker.values());
        Map<String, CompletableFuture<Long>> open = new TreeMap<>(answerNanos);
        open.keySet().retainAll(byBroker.keySet());
        try {
            CompletableFuture.allOf(open.values().toArray(CompletableFuture[]::new))
                    .get(RocketMqQueries.QUESTION_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            List<String> silent = new ArrayList<>();
            open.forEach((broker, answer) -> {
                if (!answer.isDone() || answer.isCompletedExceptionally()) {
                    silent.add(broker);
                }
            });
            return silent;
        } catch (InterruptedException e) {
            throw interrupted();
        }
        return List.of();
    }

    /** Waits until the time of brokers that have answered is over. */
    @GuardedBy("this") private void settle(Set<String> brokers, Duration settle) {
        long now = time.nanos();
        long longest = 0;
        for (String broker : brokers) {
            CompletableFuture<Long> answer = answerNanos.get(broker);
            if (answer != null) { // else it is settled
                longest = Math.max(longest, answer.join() + settle.toNanos() - now);
            }
        }
        if (longest > 0) {
            try {
                time.sleep(Duration.ofNanos(longest));
            } catch (InterruptedException e) {
                throw interrupted();
            }
        }
        answerNanos.keySet().removeAll(brokers);
        settled.addAll(brokers);
    }

    private static void requireAnswers(List<String> silent, Set<String> gone) {
        for (String broker : silent) {
            if (!gone.contains(broker)) {
                throw new NotSentException(
                        "broker %s does not answer, and may still carry out earlier requests".formatted(broker));
            }
        }
    }

    /** The brokers that do not answer and are not expected to return. */
    private Set<String> goneAmong(List<String> silent) {
        try {
            return unlisted.gone(silent, queries.masters());
        } catch (MQClientException e) {
            return Set.of(); // without a name server nothing is known of brokers
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static NotSentException interrupted() {
        Thread.currentThread().interrupt();
        return new NotSentException("interrupted while earlier requests may still be carried out");
    }
}
