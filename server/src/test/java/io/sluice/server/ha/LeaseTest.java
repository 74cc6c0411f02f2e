package io.sluice.server.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseTest {
    private static final Duration LENGTH = Duration.ofSeconds(10);

    private final HandTime time = new HandTime();
    private final Lease lease = new Lease(7, LENGTH, time, Lease.Instant.now(time));

    @Test
    void isHeldForItsLengthAfterTheLastConfirmedRequest() {
        time.passSeconds(9);
        assertThat(lease.isHeld()).isTrue();
        Lease.Instant asked = Lease.Instant.now(time);
        time.passSeconds(2);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lossReason()).contains("not confirmed it in time");

        lease.confirm(asked);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void anOldAnswerDoesNotShortenTheLease() {
        Lease.Instant first = Lease.Instant.now(time);
        time.passSeconds(5);
        lease.confirm(Lease.Instant.now(time));
        lease.confirm(first);
        assertThat(lease.remaining()).isEqualTo(LENGTH);
    }

    @Test
    void runsOutByEitherClock() {
        time.passMonotonic(LENGTH);
        assertThat(lease.isHeld()).isFalse();
        time.passMonotonic(LENGTH.negated());
        assertThat(lease.isHeld()).isTrue();
        time.passWall(LENGTH); // the machine slept, and its monotonic clock with it
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void onceRevokedItIsNeverHeldAgain() {
        lease.revoke("first");
        lease.revoke("second");
        lease.confirm(Lease.Instant.now(time));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lossReason()).isEqualTo("first");
    }
}
