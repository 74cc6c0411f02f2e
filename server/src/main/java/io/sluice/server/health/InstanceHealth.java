package io.sluice.server.health;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.instance.InstanceState;
import org.jspecify.annotations.Nullable;

/**
 * Health of one instance: its state and any stall.
 *
 * @param destination its name
 * @param stall where its work waited for longer than it may, at the last sample; null if it did not
 * @param failure why its source is not being read at the moment, that another replica keeps ending the dump, or that its address leads to another server
 *     and nothing comes any more; null if none of that is so
 */
public record InstanceHealth(
        String destination,
        InstanceState state,
        @Nullable Stall stall,
        @Nullable SourceFailure failure) {
    /**
     * Whether no action is needed: it has not failed, and if it waits, then for clients; and no other replica ends its dump, which would soon
     * make one of the two fail, and the source is not one whose changes are made on another server now.
     */
    public boolean isWell() {
        return state != InstanceState.FAILED
                && failure != SourceFailure.DUPLICATE_SERVER_ID
                && failure != SourceFailure.OTHER_SERVER
                && (stall == null || stall.stage() == Stage.CLIENTS);
    }
}
