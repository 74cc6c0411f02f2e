package io.sluice.connector.api.deliver;

import io.sluice.connector.api.producer.Message;
import java.util.List;

/**
 * Decides what happens when the broker refuses a record for good: {@code canal.mq.onReject}. A refused record is never
 * skipped in silence.
 */
@FunctionalInterface
public interface RefusalPolicy {
    /** Ends the sender, with the refusal as its cause. */
    RefusalPolicy STOP = refused -> new Verdict.Stop();

    /** Passes the record over; the sender logs and counts it. */
    RefusalPolicy SKIP = refused -> new Verdict.Skip();

    /**
     * Decides about a record; called by the sender's thread. Messages of several entries that are too large come here only
     * cut into those of one entry each.
     */
    Verdict judge(RefusedRecord refused);

    /** What the sender does. */
    sealed interface Verdict {
        /** Ends, with the refusal as the cause. */
        record Stop() implements Verdict {}

        /** Goes on as if the broker had it. */
        record Skip() implements Verdict {}

        /**
         * Sends another message in its place, and goes on when the broker has that.
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
