package io.sluice.admin.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.HandClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AttemptLimitTest {
    private final HandClock clock = new HandClock();
    private final AttemptLimit limit = new AttemptLimit(clock);

    private Duration fail(String user, String address, int times) {
        Duration wait = Duration.ZERO;
        for (int i = 0; i < times; i++) {
            wait = limit.begin(user, address);
        }
        return wait;
    }

    @Test
    void aUserWhoseLoginsFailFromManyAddressesWaitsForThirtySecondsAtMost() {
        for (int i = 0; i < 1000; i++) {
            clock.pass(limit.begin("admin", "10.0.0." + i));
        }
        assertThat(limit.begin("ADMIN", "192.168.0.1")).isBetween(Duration.ZERO, Duration.ofSeconds(30));
        clock.pass(Duration.ofSeconds(31));
        assertThat(limit.begin("admin", "192.168.0.1")).isZero();
    }

    @Test
    void anAddressThatFailsWithManyUsersWaits() {
        for (int i = 0; i < AttemptLimit.FREE_OF_ADDRESS; i++) {
            assertThat(limit.begin("user" + i, "10.0.0.1")).isZero();
        }
        assertThat(limit.begin("another", "10.0.0.1")).isEqualTo(Duration.ofSeconds(1));
        assertThat(limit.begin("another", "10.0.0.2")).isZero();
    }

    @Test
    void attemptsAtTheSameTimeCountAtOnce() {
        assertThat(fail("carol", "10.0.0.1", AttemptLimit.FREE_OF_USER)).isZero();
        assertThat(limit.begin("carol", "10.0.0.1")).isPositive(); // although none has failed yet
    }

    @Test
    void aLoginForgetsTheFailuresOfTheUserButNotThoseOfTheAddress() {
        fail("carol", "10.0.0.1", 4);
        limit.begin("carol", "10.0.0.1");
        limit.succeeded("carol", "10.0.0.1");
        assertThat(fail("carol", "10.0.0.1", AttemptLimit.FREE_OF_USER)).isZero();
        fail("dave", "10.0.0.1", 1);
        assertThat(limit.begin("erin", "10.0.0.1")).isPositive();
    }

    @Test
    void aNetworkOfIpv6CountsAsOneAddress() {
        for (int i = 0; i < AttemptLimit.FREE_OF_ADDRESS; i++) {
            limit.begin("user" + i, "2001:db8:0:1::" + i);
        }
        assertThat(limit.begin("x", "2001:db8:0:1:ffff::1")).isPositive();
        assertThat(limit.begin("y", "2001:db8:0:2::1")).isZero();
    }

    @Test
    void whatIsKeptIsBounded() {
        for (int i = 0; i < 3 * AttemptLimit.MAX_ENTRIES; i++) {
            limit.begin("user" + i, "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
        }
        assertThat(limit.size()).isEqualTo(2 * AttemptLimit.MAX_ENTRIES);
    }

    /** A client that guesses the password of a user does not keep that user from logging in at the usual address. */
    @Test
    void nobodyIsLockedOutWhereTheyAreKnown() {
        limit.begin("carol", "192.0.2.1");
        limit.succeeded("carol", "192.0.2.1");
        for (int i = 0; i < 1000; i++) {
            clock.pass(limit.begin("carol", "10.0." + i / 250 + "." + i % 250));
            limit.begin("carol", "10.0." + i / 250 + "." + i % 250);
            limit.begin("carol\n192.0.2.1", "10.1." + i / 250 + "." + i % 250);
            limit.begin("192.0.2.1\ncarol", "10.2." + i / 250 + "." + i % 250);
        }
        assertThat(limit.begin("carol", "10.9.9.9")).isPositive();
        assertThat(limit.begin("CAROL", "192.0.2.1")).isZero();
        limit.succeeded("carol", "192.0.2.1");
        // Guesses from there count as those of any client.
        assertThat(fail("carol", "192.0.2.1", AttemptLimit.FREE_OF_USER)).isZero();
        assertThat(limit.begin("carol", "192.0.2.1")).isPositive();
    }

    @Test
    void knownNetworksAreBounded() {
        for (int i = 0; i < 2 * AttemptLimit.MAX_ENTRIES; i++) {
            limit.begin("carol", "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
            limit.succeeded("carol", "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
        }
        assertThat(limit.size()).isEqualTo(AttemptLimit.MAX_ENTRIES);
    }

    @Test
    void failuresAreForgottenAfterAWhile() {
        fail("carol", "10.0.0.1", 100);
        clock.pass(Duration.ofMinutes(16));
        assertThat(fail("carol", "10.0.0.1", AttemptLimit.FREE_OF_USER)).isZero();
    }
}
