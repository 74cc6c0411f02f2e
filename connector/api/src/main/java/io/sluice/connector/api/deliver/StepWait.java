package io.sluice.connector.api.deliver;

import io.sluice.protocol.time.Time;
import java.util.function.BooleanSupplier;

/**
 * When the next step of a sender is due: as soon as the condition holds or the deadline has passed.
 *
 * @param condition polled by the thread that steps, each time the signal is raised
 * @param deadlineNanos by {@link Time#nanos}
 */
record StepWait(BooleanSupplier condition, long deadlineNanos) {
    /** The next step is due at once. */
    static final StepWait NONE = new StepWait(() -> true, 0);

    /** Whether the next step is due. */
    boolean isOver(Time time) {
        return condition.getAsBoolean() || nanosLeft(time) <= 0;
    }

    /** How long until the deadline; not positive if it has passed. */
    long nanosLeft(Time time) {
        return deadlineNanos - time.nanos();
    }
}
