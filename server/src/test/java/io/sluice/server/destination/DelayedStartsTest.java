package io.sluice.server.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.time.PooledTimer;
import io.sluice.protocol.time.Time;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DelayedStartsTest {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger ends = new AtomicInteger();
    private final DelayedStarts starts = new DelayedStarts(
            new DestinationRegistry(),
            new DestinationStates(0, timer, Runnable::run, Time.SYSTEM),
            false,
            new PooledTimer(timer, Runnable::run, failure -> {}),
            Time.SYSTEM,
            ends::incrementAndGet);

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    /** A reload may remove the only destination and add others; its instance may fail while it is stopped. */
    @Test
    void theServerDoesNotEndByTheFailureOfAnInstanceThatWasRemoved() {
        starts.instanceFailed("shop", new IllegalStateException("the broker is gone"));

        assertThat(ends).hasValue(0);
    }
}
