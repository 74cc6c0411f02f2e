package io.sluice.connector.api.deliver;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a sender does and has done since it was made; each figure is right by itself.
 *
 * @param batchesInFlight taken from the store and not yet acked
 * @param ackedBatches delivered in full, and acked
 * @param ackedRecords the records of these
 * @param ackedBytes the sizes of the values of these
 * @param rollbacks how often a delivery failed
 * @param lastFailure the last of these failures; null if there was none
 * @param backOff the pause it is in; zero if it is in none
 */
public record SenderStatus(
        SenderState state,
        int batchesInFlight,
        long ackedBatches,
        long ackedRecords,
        long ackedBytes,
        long rollbacks,
        @Nullable DeliveryFailure lastFailure,
        Duration backOff) {}
