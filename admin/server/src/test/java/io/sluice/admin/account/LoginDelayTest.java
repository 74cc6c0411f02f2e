package io.sluice.admin.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.HandClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoginDelayTest {
    private final HandClock clock = new HandClock();
    private final LoginDelay delay = new LoginDelay(clock);

    private Duration fail(String user, String address, int times) {
        Duration wait = Duration.ZERO;
        for (int i = 0; i < times; i++) {
            wait = delay.begin(user, address);
        }
        return wait;
    }

    @Test
    void aUserWhoseLoginsFailFromManyAddressesWaitsForThirtySecondsAtMost() {
        for (int i = 0; i < 1000; i++) {
            clock.pass(delay.begin("admin", "10.0.0." + i));
        }
        assertThat(delay.begin("ADMIN", "192.168.0.1")).isBetween(Duration.ZERO, Duration.ofSeconds(30));
        clock.pass(Duration.ofSeconds(31));
        assertThat(delay.begin("admin", "192.168.0.1")).isZero();
    }

    @Test
    void anAddressThatFailsWithManyUsersWaits() {
        for (int i = 0; i < LoginDelay.FREE_OF_ADDRESS; i++) {
            assertThat(delay.begin("user" + i, "10.0.0.1")).isZero();
        }
        assertThat(delay.begin("another", "10.0.0.1")).isEqualTo(Duration.ofSeconds(1));
        assertThat(delay.begin("another", "10.0.0.2")).isZero();
    }

    @Test
    void attemptsAtTheSameTimeCountAtOnce() {
        assertThat(fail("carol", "10.0.0.1", LoginDelay.FREE_OF_USER)).isZero();
        assertThat(delay.begin("carol", "10.0.0.1")).isPositive(); // although none has failed yet
    }

    @Test
    void aLoginForgetsTheFailuresOfTheUserButNotThoseOfTheAddress() {
        fail("carol", "10.0.0.1", 4);
        delay.begin("carol", "10.0.0.1");
        delay.succeeded("carol", "10.0.0.1");
        assertThat(fail("carol", "10.0.0.1", LoginDelay.FREE_OF_USER)).isZero();
        fail("dave", "10.0.0.1", 1);
        assertThat(delay.begin("erin", "10.0.0.1")).isPositive();
    }

    @Test
    void aNetworkOfIpv6CountsAsOneAddress() {
        for (int i = 0; i < LoginDelay.FREE_OF_ADDRESS; i++) {
            delay.begin("user" + i, "2001:db8:0:1::" + i);
        }
        assertThat(delay.begin("x", "2001:db8:0:1:ffff::1")).isPositive();
        assertThat(delay.begin("y", "2001:db8:0:2::1")).isZero();
    }

    @Test
    void whatIsKeptIsBounded() {
        for (int i = 0; i < 3 * LoginDelay.MAX_ENTRIES; i++) {
            delay.begin("user" + i, "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
        }
        assertThat(delay.size()).isEqualTo(2 * LoginDelay.MAX_ENTRIES);
    }

    /** A client that guesses the password of a user does not keep that user from logging in at the usual address. */
    @Test
    void nobodyIsLockedOutWhereTheyAreKnown() {
        delay.begin("carol", "192.0.2.1");
        delay.succeeded("carol", "192.0.2.1");
        for (int i = 0; i < 1000; i++) {
            clock.pass(delay.begin("carol", "10.0." + i / 250 + "." + i % 250));
            delay.begin("carol", "10.0." + i / 250 + "." + i % 250);
            delay.begin("carol\n192.0.2.1", "10.1." + i / 250 + "." + i % 250);
            delay.begin("192.0.2.1\ncarol", "10.2." + i / 250 + "." + i % 250);
        }
        assertThat(delay.begin("carol", "10.9.9.9")).isPositive();
        assertThat(delay.begin("CAROL", "192.0.2.1")).isZero();
        delay.succeeded("carol", "192.0.2.1");
        // Guesses from there count as those of any client.
        assertThat(fail("carol", "192.0.2.1", LoginDelay.FREE_OF_USER)).isZero();
        assertThat(delay.begin("carol", "192.0.2.1")).isPositive();
    }

    @Test
    void knownNetworksAreBounded() {
        for (int i = 0; i < 2 * LoginDelay.MAX_ENTRIES; i++) {
            delay.begin("carol", "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
            delay.succeeded("carol", "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
        }
        assertThat(delay.size()).isEqualTo(LoginDelay.MAX_ENTRIES);
    }

    @Test
    void failuresAreForgottenAfterAWhile() {
        fail("carol", "10.0.0.1", 100);
        clock.pass(Duration.ofMinutes(16));
        assertThat(fail("carol", "10.0.0.1", LoginDelay.FREE_OF_USER)).isZero();
    }
}
