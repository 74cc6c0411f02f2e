package io.sluice.server.health;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.instance.InstanceState;
import org.jspecify.annotations.Nullable;

/**
 * Health of one instance: its state and any stall.
 *
 * @param destination its name
 * @param stall where its work waited for longer than it may, when it was looked at last; null if it did not
 * @param failure why its source is not being read at the moment, or that another replica keeps ending the dump; null if neither is so
 */
public record InstanceHealth(
        String destination,
        InstanceState state,
        @Nullable Stall stall,
        @Nullable SourceFailure failure) {
    /**
     * Whether no action is needed: it has not failed, and if it waits, then for clients; and no other replica ends its dump, which would soon
     * make one of the two fail.
     */
    public boolean isWell() {
        return state != InstanceState.FAILED
                && failure != SourceFailure.DUPLICATE_SERVER_ID
                && (stall == null || stall.stage() == Stage.CLIENTS);
    }
}
