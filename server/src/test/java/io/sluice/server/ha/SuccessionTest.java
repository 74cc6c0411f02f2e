package io.sluice.server.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.ha.Coordinator.Trace;
import io.sluice.server.ha.Heartbeats.Beat;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SuccessionTest {
    private static final FormerOwner FORMER = new FormerOwner(7, "a", Duration.ofSeconds(10));
    private static final Duration NEEDED = FORMER.lease().plus(Succession.MARGIN);

    private final HandTime time = new HandTime();
    private final HeartbeatAges heartbeatAges = new HeartbeatAges(time);

    @Test
    void waitsForAWholeLeaseAfterAHeartbeatThatIsNew() {
        heartbeatAges.note(Map.of("a", new Beat(1, 1)));
        time.passSeconds(60);
        Succession succession = succession(2);

        assertThat(succession.remaining()).isEqualTo(NEEDED);
        time.passSeconds(11);
        assertThat(succession.remaining()).isEqualTo(NEEDED.minusSeconds(11));
        time.passSeconds(2);
        assertThat(succession.remaining()).isZero();
    }

    @Test
    void doesNotWaitAfterAHeartbeatThatWasSeenLongAgo() {
        heartbeatAges.note(Map.of("a", new Beat(1, 1), "b", new Beat(2, 1)));
        time.passSeconds(7);
        heartbeatAges.note(Map.of("a", new Beat(1, 1), "b", new Beat(9, 2)));
        time.passSeconds(4);

        assertThat(succession(1).remaining()).isEqualTo(NEEDED.minusSeconds(11));
        time.passSeconds(1);
        assertThat(succession(1).remaining()).isZero();
    }

    @Test
    void laterHeartbeatsOfASessionThatStillOwnsOtherDestinationsDoNotProlongTheWait() {
        Succession succession = succession(1);
        time.passSeconds(3);
        heartbeatAges.note(Map.of("a", new Beat(2, 2)));
        time.passSeconds(9);

        assertThat(succession.remaining()).isZero();
    }

    @Test
    void waitsForAWholeLeaseWhenTheHeartbeatIsGone() {
        heartbeatAges.note(Map.of("a", new Beat(1, 1)));
        time.passSeconds(60);

        assertThat(succession(0).remaining()).isEqualTo(NEEDED);
    }

    @Test
    void aHeartbeatIsUnusedWhenItHasNotChangedForTenMinutes() {
        Beat first = new Beat(1, 1);
        Beat second = new Beat(2, 2);
        heartbeatAges.note(Map.of("a", first));
        time.passSeconds(601);
        assertThat(heartbeatAges.isUnused("a", first)).isTrue();
        assertThat(heartbeatAges.isUnused("a", second)).isFalse();

        heartbeatAges.note(Map.of("a", second));
        time.passSeconds(599);
        assertThat(heartbeatAges.isUnused("a", second)).isFalse();
    }

    private Succession succession(long beat) {
        return new Succession(FORMER, new Trace(false, beat), heartbeatAges, time);
    }
}
