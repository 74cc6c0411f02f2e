package io.sluice.connector.kafka.batch;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How large a record batch may be, by topic: {@code batch.size}, and less where a broker has rejected a smaller one. A record that
 * is larger has a batch of its own, and is rejected by itself. Thread-safe.
 */
public final class BatchLimits {
    private static final Logger LOG = LoggerFactory.getLogger(BatchLimits.class);

    private final int maxBytes;
    private final Map<String, Integer> lowered = new ConcurrentHashMap<>();

    /** The limit of all topics, in bytes as they are sent. */
    public BatchLimits(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** The limit of a topic, in bytes as they are sent. */
    public int limitOf(String topic) {
        return lowered.getOrDefault(topic, maxBytes);
    }

    /** Halves the limit of a topic, since a broker has found a batch too large, which had so many bytes as it was sent. */
    public void lower(String topic, int rejectedBytes) {
        if (rejectedBytes > limitOf(topic)) {
            return; // it was made before the limit was lowered
        }
        lowered.merge(topic, rejectedBytes / 2, Math::min);
        LOG.info(
                "a record batch is too large for the topic, sending smaller ones: topic={} bytes={} limit={}",
                topic,
                rejectedBytes,
                limitOf(topic));
    }
}
