package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import org.junit.jupiter.api.Test;

class LineRateTest {
    private final HandTime time = new HandTime();
    private final LineRate rate = new LineRate(time, 2);

    @Test
    void allowsSoManyLinesInEachSecondAndCountsTheOthers() {
        assertThat(rate.allows()).isTrue();
        assertThat(rate.allows()).isTrue();
        assertThat(rate.allows()).isFalse();
        assertThat(rate.allows()).isFalse();
        assertThat(rate.takeLeftOut()).isZero(); // the second is not over

        time.passSeconds(1);

        assertThat(rate.takeLeftOut()).isEqualTo(2);
        assertThat(rate.takeLeftOut()).isZero();
        assertThat(rate.allows()).isTrue();
    }
}
