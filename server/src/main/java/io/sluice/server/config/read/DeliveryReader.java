package io.sluice.server.config.read;

import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.server.config.instance.FailureConfig;
import io.sluice.server.config.instance.OnReject;
import io.sluice.server.config.instance.OnTopicUnavailable;
import io.sluice.server.config.instance.StoreConfig;
import io.sluice.server.config.key.FailureKeys;
import io.sluice.server.config.key.QueueKeys;
import io.sluice.server.config.key.RoutingKeys;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.server.TopicNames;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Settings;
import java.time.Duration;
import java.util.OptionalInt;

/** Reads how an instance sends to the queue, and what it does when a message does not reach it. */
final class DeliveryReader {
    private static final Duration DEFAULT_GET_TIMEOUT = Duration.ofMillis(100);

    /** What the name of a topic for dead letters ends with, unless the operator sets another. */
    private static final String DEAD = "_dead";

    private final Settings server;
    private final Settings settings;
    private final ServerMode mode;

    /**
     * Makes a reader.
     *
     * @param server what is set for all instances
     * @param settings what is set for this one
     */
    DeliveryReader(Settings server, Settings settings, ServerMode mode) {
        this.server = server;
        this.settings = settings;
        this.mode = mode;
    }

    /** Reads how batches are sent. */
    SenderConfig sender(String destination, StoreConfig store) {
        int getTimeout = server.get(QueueKeys.GET_TIMEOUT);
        return new SenderConfig(
                destination,
                store.limit(server.get(QueueKeys.BATCH_SIZE)),
                // canal takes zero and less for a get at once and a pause of 100 ms
                getTimeout > 0 ? Duration.ofMillis(getTimeout) : DEFAULT_GET_TIMEOUT,
                server.find(QueueKeys.IN_FLIGHT_BATCHES).map(OptionalInt::of).orElseGet(OptionalInt::empty),
                settings.get(FailureKeys.ANSWER_TIMEOUT));
    }

    /** Reads what happens to messages that do not arrive, and reports what does not go together. */
    FailureConfig failure() {
        Duration first = settings.get(FailureKeys.FIRST_PAUSE);
        Duration longest = settings.get(FailureKeys.MAX_PAUSE);
        if (longest.compareTo(first) < 0) {
            settings.complain(
                    settings.isBlank(FailureKeys.MAX_PAUSE) ? FailureKeys.FIRST_PAUSE : FailureKeys.MAX_PAUSE,
                    "%s (%s) must not be above %s (%s)"
                            .formatted(
                                    FailureKeys.FIRST_PAUSE.name(),
                                    settings.shown(FailureKeys.FIRST_PAUSE),
                                    FailureKeys.MAX_PAUSE.name(),
                                    settings.shown(FailureKeys.MAX_PAUSE)));
        }
        return new FailureConfig(
                settings.get(FailureKeys.ON_REJECT),
                settings.get(FailureKeys.ON_TOPIC_UNAVAILABLE),
                deadLetterTopic(),
                first,
                longest);
    }

    private String deadLetterTopic() {
        String topic = settings.get(RoutingKeys.TOPIC);
        String dead = settings.find(FailureKeys.DEAD_LETTER_TOPIC).orElse(topic + DEAD);
        boolean ofMessages = settings.get(FailureKeys.ON_REJECT) == OnReject.DEAD_LETTER;
        boolean ofTopics = settings.get(FailureKeys.ON_TOPIC_UNAVAILABLE) == OnTopicUnavailable.DEAD_LETTER;
        if (mode.isQueue() && (ofMessages || ofTopics)) {
            String why = dead.equals(topic) ? "it is that of the changes" : TopicNames.problemOf(mode, dead);
            if (why != null) {
                Key<?> asking = ofMessages ? FailureKeys.ON_REJECT : FailureKeys.ON_TOPIC_UNAVAILABLE;
                Key<?> key = settings.isBlank(FailureKeys.DEAD_LETTER_TOPIC) ? asking : FailureKeys.DEAD_LETTER_TOPIC;
                String shown = settings.isBlank(FailureKeys.DEAD_LETTER_TOPIC)
                        ? settings.shown(RoutingKeys.TOPIC) + DEAD
                        : dead;
                settings.complain(key, "dead letters cannot go to a topic named %s: %s".formatted(shown, why));
            }
        }
        return dead;
    }
}
