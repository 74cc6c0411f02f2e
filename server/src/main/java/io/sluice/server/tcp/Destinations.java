package io.sluice.server.tcp;

import org.jspecify.annotations.Nullable;

/** Finds what a client names. Called by several threads at once. */
@FunctionalInterface
public interface Destinations {
    /** The destination of that name; null if none is configured, or it does not run here. */
    @Nullable Destination find(String name);

    /** Whether a destination that is not found is being started since a client has asked for it, so that subscriptions wait. False after a while. */
    default boolean isStarting(String name) {
        return false;
    }
}
