package io.sluice.connector.api.deliver;

import io.sluice.connector.api.producer.Message;
import java.util.List;

/**
 * Decides what happens when the broker refuses a record: {@code canal.mq.onReject} for its size or content, and
 * {@code canal.mq.onTopicUnavailable} for its topic. A refused record is never skipped in silence.
 */
@FunctionalInterface
public interface RefusalPolicy {
    /** Ends the sender, with the refusal as its cause. */
    RefusalPolicy STOP = refused -> new Verdict.Stop();

    /** Passes the record over; the sender logs and counts it. */
    RefusalPolicy SKIP = refused -> new Verdict.Skip();

    /** Sends the record again after a pause, until the broker takes it. */
    RefusalPolicy RETRY = refused -> new Verdict.Retry();

    /** Decides by one policy about records that are refused for their size or content, and by another if it is for their topic. */
    static RefusalPolicy of(RefusalPolicy forMessages, RefusalPolicy forTopics) {
        return refused -> switch (refused.failure().kind()) {
            case TOO_LARGE, INVALID -> forMessages.judge(refused);
            case TOPIC_UNAVAILABLE -> forTopics.judge(refused);
            case PASSING, BROKEN -> throw new IllegalArgumentException("not refused: " + refused.failure());
        };
    }

    /**
     * Decides about a record; called by the sender's thread. Messages of several entries that are too large come here only
     * cut into those of one entry each.
     */
    Verdict judge(RefusedRecord refused);

    /** What the sender does. */
    sealed interface Verdict {
        /** Ends, with the refusal as the cause. */
        record Stop() implements Verdict {}

        /** Continues as if the broker had it. */
        record Skip() implements Verdict {}

        /** Sends the record again after a pause; those after it in its partition wait. */
        record Retry() implements Verdict {}

        /**
         * Sends another message in its place, and continues when the broker has that.
         *
         * @param letters the first is sent; if that is refused as well, the next one; if all are, the sender ends
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
