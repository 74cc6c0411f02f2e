package io.sluice.connector.kafka.failure;

import java.time.Duration;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** A message is for a topic that the brokers have not known for some time. */
public final class NoSuchTopicException extends KafkaException {
    private static final long serialVersionUID = 1L;

    /**
     * Names the topic.
     *
     * @param length how long it has been missing at least
     * @param cause what the brokers have stated; null if it is not known
     */
    public NoSuchTopicException(String topic, Duration length, @Nullable Throwable cause) {
        super(
                "topic %s does not exist, and has not for %d s: create it, or choose another one in canal.mq.*"
                        .formatted(topic, length.toSeconds()),
                cause);
    }
}
