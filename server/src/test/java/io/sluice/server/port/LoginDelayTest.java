package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoginDelayTest {
    private final HandTime time = new HandTime();
    private final LoginDelay throttle = LoginDelay.ofPasswords("canal.admin.port", time);
    private final InetAddress address = address("192.0.2.1");

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private void fail(InetAddress from, int times) {
        for (int i = 0; i < times; i++) {
            throttle.failed(from);
        }
    }

    @Test
    void theWaitBeginsAfterSomeFailuresAndDoublesUpToAMinute() {
        fail(address, LoginDelay.FREE_PASSWORDS);
        assertThat(throttle.waitOf(address)).isZero();
        for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 64, 64, 64}) {
            fail(address, 1);
            assertThat(throttle.waitOf(address)).isEqualTo(Duration.ofSeconds(seconds));
        }
        time.passSeconds(63);
        assertThat(throttle.waitOf(address)).isEqualTo(Duration.ofSeconds(1));
        time.passSeconds(1);
        assertThat(throttle.waitOf(address)).isZero();
    }

    @Test
    void aSuccessIsANewBegin() {
        fail(address, 20);
        throttle.succeeded(address);
        assertThat(throttle.waitOf(address)).isZero();
        fail(address, LoginDelay.FREE_PASSWORDS);
        assertThat(throttle.waitOf(address)).isZero();
    }

    @Test
    void failuresOfLongAgoAreForgotten() {
        fail(address, 20);
        time.pass(Duration.ofMinutes(16));
        fail(address, 1);
        assertThat(throttle.waitOf(address)).isZero();
    }

    @Test
    void thatAnAddressHasToWaitIsLoggedOnce() {
        try (LogLines lines = LogLines.of(LoginDelay.class)) {
            fail(address, 20);
            fail(address("192.0.2.2"), LoginDelay.FREE_PASSWORDS);
            assertThat(lines.events())
                    .singleElement()
                    .asString()
                    .contains("WARN", "several logins from an address have failed", "192.0.2.1", "canal.admin.port");

            throttle.succeeded(address);
            fail(address, 20);
            assertThat(lines.texts()).hasSize(2);
        }
    }

    @Test
    void otherAddressesDoNotWait() {
        fail(address, 20);
        assertThat(throttle.waitOf(address("192.0.2.2"))).isZero();
    }

    @Test
    void anIpv6NetworkWaitsAsAWhole() {
        fail(address("2001:db8:1:2::1"), 20);
        assertThat(throttle.waitOf(address("2001:db8:1:2:ffff::2"))).isPositive();
        assertThat(throttle.waitOf(address("2001:db8:1:3::1"))).isZero();
    }

    @Test
    void ofTooManyAddressesTheOldestAreForgotten() {
        fail(address, 20);
        for (int i = 0; i < 10_000; i++) {
            fail(address("10.0.%d.%d".formatted(i / 256, i % 256)), LoginDelay.FREE_PASSWORDS + 1);
        }
        assertThat(throttle.waitOf(address)).isZero();
        assertThat(throttle.waitOf(address("10.0.39.15"))).isPositive();
    }

    @Test
    void afterTenWrongTokensNoneIsLookedAtForAMinute() {
        LoginDelay tokens = LoginDelay.ofTokens(time);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 10; i++) {
                assertThat(tokens.waitOf(address)).isZero();
                tokens.failed(address);
                time.passSeconds(1);
            }
            assertThat(tokens.waitOf(address)).isEqualTo(Duration.ofSeconds(59));
            time.passSeconds(60);
        }
    }
}
