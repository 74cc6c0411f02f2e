package io.sluice.server.pace;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What keeps an instance from delivering at full speed, at one moment.
 *
 * @param paused whether nothing is delivered until it is resumed
 * @param reason who paused it and why; null unless paused
 * @param since when it was paused; null unless paused
 * @param stopPoint where it will pause; null if nowhere
 * @param limits its largest rates
 */
public record PaceStatus(
        boolean paused,
        @Nullable String reason,
        @Nullable Instant since,
        @Nullable String stopPoint,
        RateLimits limits) {}
