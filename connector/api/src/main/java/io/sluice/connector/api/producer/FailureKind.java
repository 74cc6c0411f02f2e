package io.sluice.connector.api.producer;

/**
 * What a failure means for the next attempt.
 *
 * <p>{@link #TOO_LARGE}, {@link #INVALID} and {@link #TOPIC_UNAVAILABLE} are reported for a message only if the fault is surely
 * its own or its topic's, and not that of a message beside which it was sent: the instance may be configured to leave such
 * messages out.
 */
public enum FailureKind {
    /** The next attempt may succeed: the broker is unreachable, slow, or has no leader. Unknown failures are of this kind. */
    PASSING,
    /** The broker does not take a message of this size. */
    TOO_LARGE,
    /** The broker does not take a message with this content, such as one without a key for a compacted topic. */
    INVALID,
    /**
     * The broker takes no message at all for this topic: it does not exist, has no such name or partition, has no queue, or the
     * user may not write to it. An operator can change that without a change of the message.
     */
    TOPIC_UNAVAILABLE,
    /** No message can be sent: wrong credentials or options, a later owner, a closed producer. */
    BROKEN;

    /** Whether the fault is that of this one message or its topic, so that others may be taken. */
    public boolean isOfOneMessage() {
        return switch (this) {
            case TOO_LARGE, INVALID, TOPIC_UNAVAILABLE -> true;
            case PASSING, BROKEN -> false;
        };
    }
}
