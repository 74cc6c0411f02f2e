package io.sluice.admin.fleet.live;

import org.jspecify.annotations.Nullable;

/**
 * A stage of the stream: {@code Stage} of the API.
 *
 * @param name {@code source}, {@code parser}, {@code store} or {@code sink}
 * @param state {@code ok}, {@code waiting}, {@code full}, {@code failed}, {@code paused}, {@code stalled} or {@code unknown}
 * @param rate rows or bytes per second
 * @param depth what waits in it: bytes of lag, entries, batches
 */
public record Stage(
        String name,
        String state,
        @Nullable Long rate,
        @Nullable Long depth,
        @Nullable Long capacity,
        @Nullable String detail) {}
