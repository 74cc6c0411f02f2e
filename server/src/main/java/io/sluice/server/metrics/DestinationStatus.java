package io.sluice.server.metrics;

import io.sluice.server.pace.PaceStatus;
import io.sluice.server.pace.RateLimits;

/**
 * What an operator and the configuration have set for one destination, whether it runs here or not.
 *
 * @param destination its name
 * @param stopped whether an operator has stopped it on this server
 * @param refused whether its newest configuration is not in force since something is wrong with it
 * @param paused whether nothing is delivered until it is resumed
 * @param limits its largest rates
 * @param invalid whether its configuration was never right, so that it runs nowhere
 */
public record DestinationStatus(
        String destination, boolean stopped, boolean refused, boolean paused, RateLimits limits, boolean invalid) {
    /** The status of a destination that can run. */
    public DestinationStatus(String destination, boolean stopped, boolean refused, boolean paused, RateLimits limits) {
        this(destination, stopped, refused, paused, limits, false);
    }

    /** The status of a destination whose configuration was never right. */
    public static DestinationStatus ofInvalid(String destination) {
        return new DestinationStatus(destination, false, true, false, RateLimits.NONE, true);
    }

    /** The status of a destination with what keeps it from delivering at full speed. */
    public static DestinationStatus of(String destination, boolean stopped, boolean refused, PaceStatus pace) {
        return new DestinationStatus(destination, stopped, refused, pace.paused(), pace.limits());
    }
}
