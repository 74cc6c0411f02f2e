package io.sluice.server.instance;

import io.sluice.protocol.time.Time;
import io.sluice.server.pace.Pace;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What belongs to a destination, and stays when one of its instances ends and another one follows. Safe for use by several threads.
 *
 * @param pace how fast it is delivered
 * @param errors its newest errors
 * @param tap shows what is delivered
 */
public record DestinationState(Pace pace, ErrorLog errors, DeliveryTap tap) {
    /** That of a destination that is delivered at full speed, and has had no error. */
    public static DestinationState of(String destination, ScheduledExecutorService timer, Time time) {
        DeliveryTap tap = new DeliveryTap();
        return new DestinationState(new Pace(destination, timer, time, tap::acked), new ErrorLog(time), tap);
    }
}
