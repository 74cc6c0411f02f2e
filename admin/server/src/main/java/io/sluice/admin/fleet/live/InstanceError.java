package io.sluice.admin.fleet.live;

import org.jspecify.annotations.Nullable;

/**
 * An error of an instance: {@code InstanceError} of the API.
 *
 * @param time when it came last, by the clock of the server
 * @param times how often in a row
 * @param part {@code source}, {@code delivery} or {@code instance}
 * @param remedy what to do
 */
public record InstanceError(
        String time,
        long times,
        String part,
        String kind,
        String message,
        @Nullable String remedy) {}
