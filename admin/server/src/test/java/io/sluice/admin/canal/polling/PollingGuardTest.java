package io.sluice.admin.canal.polling;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.HandClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollingGuardTest {
    /** The hash of the password admin. */
    private static final String HASH = "4acfe3202a5ff5cf467898fc58aab1d615029441";

    private final HandClock clock = new HandClock();
    private final PollingGuard guard = new PollingGuard(new PollingProperties("admin", "admin", false), clock);

    private void fail(String address, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(guard.rejection(address, "admin", "wrong")).isPresent();
        }
    }

    @Test
    void theHashOfThePasswordIsAccepted() {
        assertThat(guard.rejection("10.0.0.1", "admin", HASH)).isEmpty();
        assertThat(guard.rejection("10.0.0.1", "root", HASH)).isPresent();
        assertThat(guard.rejection("10.0.0.1", "admin", "admin")).isPresent();
        assertThat(guard.rejection("10.0.0.1", null, null)).isPresent();
    }

    @Test
    void whoGuessesIsRejectedUntilTheMinuteIsOver() {
        fail("10.0.0.1", PollingGuard.MAX_FAILURES);

        assertThat(guard.rejection("10.0.0.1", "admin", HASH)).isPresent();
        assertThat(guard.rejection("10.0.0.2", "admin", HASH)).isEmpty();
        clock.pass(Duration.ofMinutes(1));
        assertThat(guard.rejection("10.0.0.1", "admin", HASH)).isEmpty();
        clock.pass(Duration.ofMinutes(15));
        fail("10.0.0.1", PollingGuard.MAX_FAILURES);
        assertThat(guard.rejection("10.0.0.1", "admin", HASH)).isPresent();
    }

    @Test
    void guessesDoNotCutOffServersThatWereAcceptedFromTheSameAddressLately() {
        assertThat(guard.rejection("10.0.0.1", "admin", HASH)).isEmpty();
        fail("10.0.0.1", PollingGuard.MAX_FAILURES + 1);
        assertThat(guard.rejection("10.0.0.1", "admin", HASH)).isEmpty();
        fail("10.0.0.1", PollingGuard.MAX_FAILURES_OF_TRUSTED);
        assertThat(guard.rejection("10.0.0.1", "admin", HASH)).isPresent();

        clock.pass(Duration.ofMinutes(15));
        fail("10.0.0.1", PollingGuard.MAX_FAILURES);
        assertThat(guard.rejection("10.0.0.1", "admin", HASH)).isPresent();
    }

    @Test
    void aNetworkOfIpv6CountsAsOneAddress() {
        for (int i = 0; i < PollingGuard.MAX_FAILURES; i++) {
            fail("2001:db8:0:1::" + i, 1);
        }

        assertThat(guard.rejection("2001:db8:0:1:ffff::1", "admin", HASH)).isPresent();
        assertThat(guard.rejection("2001:db8:0:2::1", "admin", HASH)).isEmpty();
    }

    /** A client with many addresses cannot make it forget to count. */
    @Test
    void whatIsKeptIsBoundedAndNewNetworksCount() {
        for (int i = 0; i < 2 * PollingGuard.MAX_NETWORKS; i++) {
            fail("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255), 1);
        }
        assertThat(guard.size()).isEqualTo(PollingGuard.MAX_NETWORKS);

        fail("192.0.2.1", PollingGuard.MAX_FAILURES);
        assertThat(guard.rejection("192.0.2.1", "admin", HASH)).isPresent();
    }
}
