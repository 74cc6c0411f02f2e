package io.sluice.connector.api.deliver;

import io.sluice.connector.api.deliver.failure.DeliveryFailure;
import io.sluice.connector.api.producer.NotAdmittedException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * State and counters of a sender since it was made; each figure is consistent by itself only.
 *
 * @param inState for how long it has been in this state
 * @param batchesInFlight taken from the store and not yet acked
 * @param maxBatchesInFlight how many these may be at the moment
 * @param ackedBatches delivered in full, and acked
 * @param ackedMessages the messages of these
 * @param ackedBytes the sizes of the values of these
 * @param failures how often a delivery failed
 * @param failuresInARow how many of these came since the last ack
 * @param resentMessages how many messages were sent once more after a failure
 * @param splitMessages how many messages were split since they were too large
 * @param skippedMessages of the acked ones, those that were rejected and skipped
 * @param deadLetters of the acked ones, those that were rejected and are in the dead-letter topic
 * @param lastFailure the last failure; null if there was none
 * @param backOff the current back-off before a retry; zero if there is none
 * @param silence how long the broker has not answered any message; zero if none is unanswered
 */
public record SenderStatus(
        SenderState state,
        Duration inState,
        int batchesInFlight,
        int maxBatchesInFlight,
        long ackedBatches,
        long ackedMessages,
        long ackedBytes,
        long failures,
        int failuresInARow,
        long resentMessages,
        long splitMessages,
        long skippedMessages,
        long deadLetters,
        @Nullable DeliveryFailure lastFailure,
        Duration backOff,
        Duration silence) {
    /** Why the broker does not admit the producer, which is tried again; null if nothing has failed since the last ack, or something else. */
    public @Nullable NotAdmittedException notAdmitted() {
        DeliveryFailure last = lastFailure;
        return failuresInARow > 0 && last != null && last.cause() instanceof NotAdmittedException refused
                ? refused
                : null;
    }
}
