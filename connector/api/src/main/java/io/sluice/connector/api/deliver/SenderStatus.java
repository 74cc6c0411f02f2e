package io.sluice.connector.api.deliver;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a sender does and has done since it was made; each figure is right by itself.
 *
 * @param inState for how long it has been in this state
 * @param batchesInFlight taken from the store and not yet acked
 * @param ackedBatches delivered in full, and acked
 * @param ackedRecords the records of these
 * @param ackedBytes the sizes of the values of these
 * @param failures how often a delivery failed
 * @param failuresInARow how many of these came since the last ack
 * @param resentRecords how many records were sent once more after a failure
 * @param cutRecords how many messages were cut since they were too large
 * @param skippedRecords of the acked ones, those that were refused for good and passed over
 * @param deadLetters of the acked ones, those that were refused for good and are in the dead-letter topic
 * @param lastFailure the last failure; null if there was none
 * @param backOff the pause it is in; zero if it is in none
 * @param silence for how long it has waited for any answer of the broker; zero if it waits for none
 */
public record SenderStatus(
        SenderState state,
        Duration inState,
        int batchesInFlight,
        long ackedBatches,
        long ackedRecords,
        long ackedBytes,
        long failures,
        int failuresInARow,
        long resentRecords,
        long cutRecords,
        long skippedRecords,
        long deadLetters,
        @Nullable DeliveryFailure lastFailure,
        Duration backOff,
        Duration silence) {}
