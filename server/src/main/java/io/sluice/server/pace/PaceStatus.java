package io.sluice.server.pace;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What keeps an instance from delivering at full speed, at one moment.
 *
 * @param paused whether nothing is delivered until it is resumed
 * @param reason the caller that paused it and the reason; null unless paused
 * @param since when it was paused; null unless paused
 * @param pauseTarget where it will pause; null if nowhere
 * @param limits its largest rates
 * @param kept how long all of that holds
 * @param keptProblem why the newest of it is not kept so long yet; null if it is
 */
public record PaceStatus(
        boolean paused,
        @Nullable String reason,
        @Nullable Instant since,
        @Nullable String pauseTarget,
        RateLimits limits,
        PaceKept kept,
        @Nullable String keptProblem) {
    /** The pace of an instance until the process ends. */
    public PaceStatus(
            boolean paused,
            @Nullable String reason,
            @Nullable Instant since,
            @Nullable String pauseTarget,
            RateLimits limits) {
        this(paused, reason, since, pauseTarget, limits, PaceKept.PROCESS, null);
    }

    /** The pace of an instance that does not run here, when only the server knows it that runs it. */
    public static PaceStatus elsewhere() {
        return new PaceStatus(false, null, null, null, RateLimits.NONE, PaceKept.CLUSTER, null);
    }
}
