package io.sluice.connector.api.deliver.failure;

import io.sluice.connector.api.producer.Message;
import java.util.List;

/**
 * Decides what happens when the broker rejects a message: {@code canal.mq.onReject} for its size or content, and
 * {@code canal.mq.onTopicUnavailable} for its topic. A rejected message is never skipped in silence.
 */
@FunctionalInterface
public interface RejectionPolicy {
    /** Ends the sender, with the rejection as its cause. */
    RejectionPolicy STOP = rejected -> new Verdict.Stop();

    /** Passes the message over; the sender logs and counts it. */
    RejectionPolicy SKIP = rejected -> new Verdict.Skip();

    /** Sends the message again after a back-off, until the broker takes it. */
    RejectionPolicy RETRY = rejected -> new Verdict.Retry();

    /** Decides by one policy about messages that are rejected for their size or content, and by another if it is for their topic. */
    static RejectionPolicy of(RejectionPolicy forMessages, RejectionPolicy forTopics) {
        return rejected -> switch (rejected.failure().kind()) {
            case TOO_LARGE, INVALID -> forMessages.judge(rejected);
            case TOPIC_UNAVAILABLE -> forTopics.judge(rejected);
            case PASSING, BROKEN -> throw new IllegalArgumentException("not rejected: " + rejected.failure());
        };
    }

    /**
     * Decides about a message; called by the sender's thread. Messages of several entries that are too large come here only
     * cut into those of one entry each.
     */
    Verdict judge(RejectedMessage rejected);

    /** What the sender does. */
    sealed interface Verdict {
        /** Ends, with the rejection as the cause. */
        record Stop() implements Verdict {}

        /** Continues as if the broker had it. */
        record Skip() implements Verdict {}

        /** Sends the message again after a back-off; those after it in its partition wait. */
        record Retry() implements Verdict {}

        /**
         * Sends another message instead, and continues when the broker has that.
         *
         * @param letters the first is sent; if that is rejected as well, the next one; if all are, the sender ends
         */
        record SendInstead(List<Message> letters) implements Verdict {
            public SendInstead {
                letters = List.copyOf(letters);
                if (letters.isEmpty()) {
                    throw new IllegalArgumentException("nothing to send instead");
                }
            }
        }
    }
}
