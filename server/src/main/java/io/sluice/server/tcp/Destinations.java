package io.sluice.server.tcp;

import org.jspecify.annotations.Nullable;

/** Finds what a client names. Called by several threads at once. */
@FunctionalInterface
public interface Destinations {
    /** The destination of that name; null if none is configured, or it does not run here. */
    @Nullable Destination find(String name);
}
