package io.sluice.server.ha.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AddressWatchTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration ENOUGH = TIMEOUT.multipliedBy(2);
    private static final long FORMER = 7;

    private final HandTime time = new HandTime();
    private final AddressWatch watch = new AddressWatch(time);

    @Test
    void aSessionThatHasEndedIsNoOtherServer() {
        assertThat(watch.observe(FORMER, TIMEOUT)).isFalse();
        time.pass(ENOUGH.minusMillis(1));
        assertThat(watch.observe(FORMER, TIMEOUT)).isFalse();
        assertThat(watch.observe(0, TIMEOUT)).isFalse();
        assertThat(watch.isShared()).isFalse();
    }

    @Test
    void aSessionThatKeepsTheNodeIsAnotherServerUntilItHasItNoMore() {
        watch.observe(FORMER, TIMEOUT);
        time.pass(ENOUGH);
        assertThat(watch.observe(FORMER, TIMEOUT)).as("changed").isTrue();
        assertThat(watch.isShared()).isTrue();
        assertThat(watch.observe(FORMER, TIMEOUT)).as("changed again").isFalse();
        assertThat(watch.observe(FORMER + 1, TIMEOUT)).as("by its next session").isFalse();
        assertThat(watch.isShared()).isTrue();

        assertThat(watch.observe(0, TIMEOUT)).isTrue();
        assertThat(watch.isShared()).isFalse();
    }

    /** ZooKeeper keeps sessions as long as it has no majority. */
    @Test
    void timeWithoutAConnectionDoesNotCount() {
        watch.observe(FORMER, TIMEOUT);
        time.pass(ENOUGH);
        watch.disconnected();
        assertThat(watch.observe(FORMER, TIMEOUT)).isFalse();
        assertThat(watch.isShared()).isFalse();
    }
}
