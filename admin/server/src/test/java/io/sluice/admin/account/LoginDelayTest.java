package io.sluice.admin.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.HandClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoginThrottleTest {
    private final HandClock clock = new HandClock();
    private final LoginThrottle throttle = new LoginThrottle(clock);

    private Duration fail(String user, String address, int times) {
        Duration wait = Duration.ZERO;
        for (int i = 0; i < times; i++) {
            wait = throttle.begin(user, address);
        }
        return wait;
    }

    @Test
    void aUserWhoseLoginsFailFromManyAddressesWaitsForThirtySecondsAtMost() {
        for (int i = 0; i < 1000; i++) {
            clock.pass(throttle.begin("admin", "10.0.0." + i));
        }
        assertThat(throttle.begin("ADMIN", "192.168.0.1")).isBetween(Duration.ZERO, Duration.ofSeconds(30));
        clock.pass(Duration.ofSeconds(31));
        assertThat(throttle.begin("admin", "192.168.0.1")).isZero();
    }

    @Test
    void anAddressThatFailsWithManyUsersWaits() {
        for (int i = 0; i < LoginThrottle.FREE_OF_ADDRESS; i++) {
            assertThat(throttle.begin("user" + i, "10.0.0.1")).isZero();
        }
        assertThat(throttle.begin("another", "10.0.0.1")).isEqualTo(Duration.ofSeconds(1));
        assertThat(throttle.begin("another", "10.0.0.2")).isZero();
    }

    @Test
    void attemptsAtTheSameTimeCountAtOnce() {
        assertThat(fail("carol", "10.0.0.1", LoginThrottle.FREE_OF_USER)).isZero();
        assertThat(throttle.begin("carol", "10.0.0.1")).isPositive(); // although none has failed yet
    }

    @Test
    void aLoginForgetsTheFailuresOfTheUserButNotThoseOfTheAddress() {
        fail("carol", "10.0.0.1", 4);
        throttle.begin("carol", "10.0.0.1");
        throttle.succeeded("carol", "10.0.0.1");
        assertThat(fail("carol", "10.0.0.1", LoginThrottle.FREE_OF_USER)).isZero();
        fail("dave", "10.0.0.1", 1);
        assertThat(throttle.begin("erin", "10.0.0.1")).isPositive();
    }

    @Test
    void aNetworkOfIpv6CountsAsOneAddress() {
        for (int i = 0; i < LoginThrottle.FREE_OF_ADDRESS; i++) {
            throttle.begin("user" + i, "2001:db8:0:1::" + i);
        }
        assertThat(throttle.begin("x", "2001:db8:0:1:ffff::1")).isPositive();
        assertThat(throttle.begin("y", "2001:db8:0:2::1")).isZero();
    }

    @Test
    void whatIsKeptIsBounded() {
        for (int i = 0; i < 3 * LoginThrottle.MAX_ENTRIES; i++) {
            throttle.begin("user" + i, "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
        }
        assertThat(throttle.size()).isEqualTo(2 * LoginThrottle.MAX_ENTRIES);
    }

    /** Who guesses the password of another user does not keep that user from logging in where they always do. */
    @Test
    void nobodyIsLockedOutWhereTheyAreKnown() {
        throttle.begin("carol", "192.0.2.1");
        throttle.succeeded("carol", "192.0.2.1");
        for (int i = 0; i < 1000; i++) {
            clock.pass(throttle.begin("carol", "10.0." + i / 250 + "." + i % 250));
            throttle.begin("carol", "10.0." + i / 250 + "." + i % 250);
            throttle.begin("carol\n192.0.2.1", "10.1." + i / 250 + "." + i % 250);
            throttle.begin("192.0.2.1\ncarol", "10.2." + i / 250 + "." + i % 250);
        }
        assertThat(throttle.begin("carol", "10.9.9.9")).isPositive();
        assertThat(throttle.begin("CAROL", "192.0.2.1")).isZero();
        throttle.succeeded("carol", "192.0.2.1");
        // Guesses from there count as those of anybody.
        assertThat(fail("carol", "192.0.2.1", LoginThrottle.FREE_OF_USER)).isZero();
        assertThat(throttle.begin("carol", "192.0.2.1")).isPositive();
    }

    @Test
    void knownNetworksAreBounded() {
        for (int i = 0; i < 2 * LoginThrottle.MAX_ENTRIES; i++) {
            throttle.begin("carol", "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
            throttle.succeeded("carol", "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
        }
        assertThat(throttle.size()).isEqualTo(LoginThrottle.MAX_ENTRIES);
    }

    @Test
    void failuresAreForgottenAfterAWhile() {
        fail("carol", "10.0.0.1", 100);
        clock.pass(Duration.ofMinutes(16));
        assertThat(fail("carol", "10.0.0.1", LoginThrottle.FREE_OF_USER)).isZero();
    }
}
