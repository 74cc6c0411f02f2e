package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NetworkLineRateTest {
    private static final int PER_SECOND = 3;

    private final HandTime time = new HandTime();
    private final NetworkLineRate rate = new NetworkLineRate(time, PER_SECOND);

    private boolean allows(String address) throws UnknownHostException {
        return rate.allows(InetAddress.getByName(address));
    }

    private int allowed(String address, int lines) throws UnknownHostException {
        int allowed = 0;
        for (int i = 0; i < lines; i++) {
            allowed += allows(address) ? 1 : 0;
        }
        return allowed;
    }

    @Test
    void aNetworkCannotUseUpTheFirstLinesOfOthers() throws Exception {
        assertThat(allowed("192.0.2.1", 100)).isEqualTo(1 + PER_SECOND);

        assertThat(allowed("192.0.2.2", 5)).isOne();
        time.passSeconds(1);
        assertThat(rate.takeLeftOut()).isEqualTo(100 + 5 - 1 - PER_SECOND - 1);
        assertThat(rate.takeLeftOut()).isZero();
    }

    @Test
    void aNetworkWithoutALineForAMinuteHasAFirstLineAgain() throws Exception {
        assertThat(allows("192.0.2.2")).isTrue();
        for (int second = 0; second < NetworkLineRate.RECENT.toSeconds(); second++) {
            allowed("192.0.2.1", 100);
            assertThat(allows("192.0.2.2")).as("%d", second).isFalse();
            time.passSeconds(1);
            rate.takeLeftOut();
        }

        assertThat(allowed("192.0.2.1", 100)).isEqualTo(PER_SECOND);
        assertThat(allows("192.0.2.2")).isTrue();
    }

    @Test
    void addressesOfANetworkAreOne() throws Exception {
        for (int host = 0; host < 1 + PER_SECOND; host++) {
            assertThat(allows("2001:db8::" + host)).isTrue();
        }
        assertThat(allows("2001:db8::ffff")).isFalse();
        assertThat(allows("2001:db8:0:1::1")).isTrue();
    }

    @Test
    void clientsThatAreNotKnownAreOneNetwork() {
        for (int line = 0; line < 1 + PER_SECOND; line++) {
            assertThat(rate.allows(null)).isTrue();
        }
        assertThat(rate.allows(null)).isFalse();
    }

    @Test
    void manyNetworksNeitherFillTheDiskNorTheMemory() throws Exception {
        for (int second = 0; second < 300; second++) {
            int lines = 0;
            for (int network = 0; network < 200; network++) {
                lines += allowed("10.%d.%d.1".formatted(second % 256, network), 2);
            }
            assertThat(lines).isLessThanOrEqualTo(2 * PER_SECOND);
            time.passSeconds(1);
            rate.takeLeftOut();
        }
        assertThat(rate.size()).isLessThanOrEqualTo((int) NetworkLineRate.RECENT.toSeconds() * PER_SECOND);

        time.pass(Duration.ofHours(1));
        allows("192.0.2.1");
        assertThat(rate.size()).isOne();
    }
}
