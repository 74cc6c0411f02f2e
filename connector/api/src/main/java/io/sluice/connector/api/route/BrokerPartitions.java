package io.sluice.connector.api.route;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Caches for a while how many partitions the broker has for a topic. An answer is used until there is another one: while the
 * broker cannot be asked, rows stay in their partitions. That it has none, or no such topic, is not cached, or rows would be spread over
 * another number when it has. Thread-safe.
 *
 * <p>Each topic has a thread while it is asked for, so that a question that takes long delays no other topic.
 *
 * <p>When the number changes, keys move to other partitions, as they do with canal.
 */
public final class BrokerPartitions implements TopicPartitions {
    /** The interval of RocketMQ's own clients. */
    public static final Duration INTERVAL = Duration.ofSeconds(30);

    private static final int MAX_REMEMBERED = 131_072;

    private final TopicPartitions broker;
    private final long intervalNanos;
    private final Executor askers;
    private final Time time;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<OptionalInt>> questions = new ConcurrentHashMap<>();

    /** A number that the broker has stated, already in the form in which it is given out. */
    private record Answer(CompletableFuture<OptionalInt> count, long askedAtNanos) {}

    /**
     * Makes one.
     *
     * @param broker the broker's client
     * @param interval after how long it is asked again
     * @param askers ask the broker, and wait for it; a thread for each task, or tasks delay each other
     * @param time measures the interval
     */
    public BrokerPartitions(TopicPartitions broker, Duration interval, Executor askers, Time time) {
        this.broker = broker;
        this.intervalNanos = interval.toNanos();
        this.askers = askers;
        this.time = time;
    }

    @Override
    public OptionalInt of(String topic) {
        try {
            return ask(topic).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof PartitionsUnknownException unknown) {
                throw unknown;
            }
            throw e;
        }
    }

    @Override
    public CompletableFuture<OptionalInt> ask(String topic) {
        Answer answer = answers.get(topic);
        return answer == null || time.nanos() - answer.askedAtNanos >= intervalNanos ? question(topic) : answer.count;
    }

    @Override
    public void announce(String topic, int partitions) {
        broker.announce(topic, partitions);
    }

    private CompletableFuture<OptionalInt> question(String topic) {
        CompletableFuture<OptionalInt> question = new CompletableFuture<>();
        CompletableFuture<OptionalInt> before = questions.putIfAbsent(topic, question);
        if (before != null) {
            return before;
        }
        try {
            askers.execute(() -> answer(topic, question));
        } catch (RuntimeException | Error e) { // as without a thread to be had; others may wait for the answer already
            fail(topic, question, e);
            throw e;
        }
        return question;
    }

    private void fail(String topic, CompletableFuture<OptionalInt> question, Throwable cause) {
        questions.remove(topic, question);
        question.completeExceptionally(cause);
    }

    private void answer(String topic, CompletableFuture<OptionalInt> question) {
        try {
            long now = time.nanos();
            OptionalInt count = newest(topic, answers.get(topic));
            if (count.isPresent()) {
                remember(topic, count, now);
            }
            questions.remove(topic, question);
            question.complete(count);
        } catch (Throwable e) { // the top of the task: what awaits the answer gets it
            fail(topic, question, e);
        }
    }

    private OptionalInt newest(String topic, @Nullable Answer last) {
        try {
            OptionalInt count = broker.of(topic);
            return count.isPresent() || last == null ? count : last.count.join();
        } catch (PartitionsUnknownException e) {
            if (last == null
                    || e.kind() == FailureKind.TOPIC_UNAVAILABLE) { // it may be created again with another number
                throw e;
            }
            return last.count.join();
        }
    }

    private void remember(String topic, OptionalInt count, long askedAtNanos) {
        if (answers.size() >= MAX_REMEMBERED) {
            answers.clear();
        }
        answers.put(topic, new Answer(CompletableFuture.completedFuture(count), askedAtNanos));
    }
}
