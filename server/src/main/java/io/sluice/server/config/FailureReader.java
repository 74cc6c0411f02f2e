package io.sluice.server.config;

import java.time.Duration;

/** Reads what an instance does when a record does not reach the queue. */
final class FailureReader {
    private final Settings settings;
    private final ServerMode mode;

    FailureReader(Settings settings, ServerMode mode) {
        this.settings = settings;
        this.mode = mode;
    }

    /** Reads it, and reports what does not go together. */
    FailureConfig read() {
        Duration first = settings.get(Keys.FIRST_PAUSE);
        Duration longest = settings.get(Keys.MAX_PAUSE);
        if (longest.compareTo(first) < 0) {
            settings.complain(
                    settings.isBlank(Keys.MAX_PAUSE) ? Keys.FIRST_PAUSE : Keys.MAX_PAUSE,
                    "%s (%d) must not be above %s (%d)"
                            .formatted(
                                    Keys.FIRST_PAUSE.name(),
                                    first.toMillis(),
                                    Keys.MAX_PAUSE.name(),
                                    longest.toMillis()));
        }
        return new FailureConfig(
                settings.get(Keys.ON_REJECT),
                settings.get(Keys.ON_TOPIC_UNAVAILABLE),
                deadLetterTopic(),
                first,
                longest,
                settings.get(Keys.ANSWER_TIMEOUT));
    }

    private String deadLetterTopic() {
        String topic = settings.get(Keys.TOPIC);
        String dead = settings.find(Keys.DEAD_LETTER_TOPIC).orElse(topic + "_dead");
        boolean ofMessages = settings.get(Keys.ON_REJECT) == OnReject.DEAD_LETTER;
        boolean ofTopics = settings.get(Keys.ON_TOPIC_UNAVAILABLE) == OnTopicUnavailable.DEAD_LETTER;
        if (mode.isQueue() && (ofMessages || ofTopics)) {
            String why = dead.equals(topic) ? "it is that of the changes" : TopicNames.problemOf(mode, dead);
            if (why != null) {
                Key<?> asking = ofMessages ? Keys.ON_REJECT : Keys.ON_TOPIC_UNAVAILABLE;
                Key<?> key = settings.isBlank(Keys.DEAD_LETTER_TOPIC) ? asking : Keys.DEAD_LETTER_TOPIC;
                settings.complain(key, "dead letters cannot go to a topic named %s: %s".formatted(dead, why));
            }
        }
        return dead;
    }
}
