package io.sluice.server.metrics;

import io.sluice.server.control.Missing;
import io.sluice.server.pace.PaceStatus;
import io.sluice.server.pace.RateLimits;
import org.jspecify.annotations.Nullable;

/**
 * What an operator and the configuration have set for one destination, whether it runs here or not.
 *
 * @param destination its name
 * @param stopped whether an operator has stopped it on this server
 * @param refused whether its newest configuration is not in force since something is wrong with it
 * @param paused whether nothing is delivered until it is resumed
 * @param limits its largest rates
 * @param missing why the server does not have it; null if it has, or would have if another server did not
 */
public record DestinationStatus(
        String destination,
        boolean stopped,
        boolean refused,
        boolean paused,
        RateLimits limits,
        Missing.@Nullable Reason missing) {
    /** The status of a destination that can run. */
    public DestinationStatus(String destination, boolean stopped, boolean refused, boolean paused, RateLimits limits) {
        this(destination, stopped, refused, paused, limits, null);
    }

    /** The status of a destination which the server does not have. */
    public static DestinationStatus ofMissing(String destination, Missing.Reason reason) {
        return new DestinationStatus(
                destination, false, reason == Missing.Reason.INVALID, false, RateLimits.NONE, reason);
    }

    /** The status of a destination with what keeps it from delivering at full speed. */
    public static DestinationStatus of(String destination, boolean stopped, boolean refused, PaceStatus pace) {
        return new DestinationStatus(destination, stopped, refused, pace.paused(), pace.limits());
    }
}
