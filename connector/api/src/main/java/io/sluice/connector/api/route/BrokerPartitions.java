package io.sluice.connector.api.route;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers for a while how many partitions the broker has for a topic. What the broker once said holds until it says
 * something else: while it cannot be asked, rows stay where they were. Safe for use by several threads.
 *
 * <p>When the number changes, keys move to other partitions, as they do with canal.
 */
public final class BrokerPartitions implements TopicPartitions {
    /** How often RocketMQ's clients look, too. */
    public static final Duration INTERVAL = Duration.ofSeconds(30);

    private static final int MAX_REMEMBERED = 16_384;

    private final TopicPartitions broker;
    private final long intervalNanos;
    private final Time time;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    private record Answer(OptionalInt count, long askedAtNanos) {}

    /**
     * Makes one.
     *
     * @param broker the broker's client
     * @param interval after how long it is asked again
     * @param time the interval is measured by it
     */
    public BrokerPartitions(TopicPartitions broker, Duration interval, Time time) {
        this.broker = broker;
        this.intervalNanos = interval.toNanos();
        this.time = time;
    }

    @Override
    public OptionalInt of(String topic) {
        Answer answer = answers.get(topic);
        if (answer == null || time.nanos() - answer.askedAtNanos >= intervalNanos) {
            answer = ask(topic);
        }
        return answer.count;
    }

    @Override
    public void announce(String topic, int partitions) {
        broker.announce(topic, partitions);
    }

    /** One of the threads that want to know asks; others that come meanwhile wait for it. */
    private Answer ask(String topic) {
        if (answers.size() >= MAX_REMEMBERED) {
            answers.clear();
        }
        return answers.compute(topic, (name, last) -> {
            long now = time.nanos();
            if (last != null && now - last.askedAtNanos < intervalNanos) {
                return last;
            }
            OptionalInt count = broker.of(name);
            return new Answer(count.isEmpty() && last != null ? last.count : count, now);
        });
    }
}
