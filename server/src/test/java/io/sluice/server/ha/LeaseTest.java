package io.sluice.server.ha;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseTest {
    private long nanos = Long.MAX_VALUE - 1_000_000_000L; // it overflows within the test, as the real one may
    private long millis = 1_700_000_000_000L;

    private final Lease lease = new Lease(7, Duration.ofSeconds(10), () -> now(), now());

    @Test
    void isHeldForItsLengthAfterTheLastConfirmedQuestion() {
        pass(9);
        assertThat(lease.isHeld()).isTrue();
        Lease.Instant asked = now();
        pass(2);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lossReason()).contains("not confirmed it in time");

        lease.confirm(asked);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void anOldAnswerDoesNotShortenIt() {
        Lease.Instant first = now();
        pass(5);
        lease.confirm(now());
        lease.confirm(first);
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void runsOutByEitherClock() {
        nanos += 10_000_000_000L;
        assertThat(lease.isHeld()).isFalse();
        nanos -= 10_000_000_000L;
        assertThat(lease.isHeld()).isTrue();
        millis += 10_000; // the machine slept, and its steady clock with it
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void onceRevokedItIsNeverHeldAgain() {
        lease.revoke("first");
        lease.revoke("second");
        lease.confirm(now());
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lossReason()).isEqualTo("first");
    }

    private void pass(int seconds) {
        nanos += seconds * 1_000_000_000L;
        millis += seconds * 1000L;
    }

    private Lease.Instant now() {
        return new Lease.Instant(nanos, millis);
    }
}
