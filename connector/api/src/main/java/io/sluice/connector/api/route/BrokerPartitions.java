package io.sluice.connector.api.route;

import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Caches for a while how many partitions the broker has for a topic. An answer is used until there is another one: while the
 * broker cannot be asked, rows stay in their partitions. That it has none is not cached, or rows would be spread over another number
 * when it has. Thread-safe.
 *
 * <p>When the number changes, keys move to other partitions, as they do with canal.
 */
public final class BrokerPartitions implements TopicPartitions {
    /** The interval of RocketMQ's own clients. */
    public static final Duration INTERVAL = Duration.ofSeconds(30);

    private static final int MAX_REMEMBERED = 16_384;

    private final TopicPartitions broker;
    private final long intervalNanos;
    private final Time time;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    private record Answer(int count, long askedAtNanos) {}

    /**
     * Makes one.
     *
     * @param broker the broker's client
     * @param interval after how long it is asked again
     * @param time measures the interval
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
        return answer == null ? OptionalInt.empty() : OptionalInt.of(answer.count);
    }

    @Override
    public void announce(String topic, int partitions) {
        broker.announce(topic, partitions);
    }

    /** One thread asks the broker, and others that need the same answer wait for it. */
    private @Nullable Answer ask(String topic) {
        if (answers.size() >= MAX_REMEMBERED) {
            answers.clear();
        }
        return answers.compute(topic, (name, last) -> {
            long now = time.nanos();
            if (last != null && now - last.askedAtNanos < intervalNanos) {
                return last;
            }
            if (last == null) {
                OptionalInt first = broker.of(name);
                return first.isEmpty() ? null : new Answer(first.getAsInt(), now);
            }
            return new Answer(newest(name).orElse(last.count), now);
        });
    }

    private OptionalInt newest(String topic) {
        try {
            return broker.of(topic);
        } catch (PartitionsUnknownException e) {
            return OptionalInt.empty();
        }
    }
}
