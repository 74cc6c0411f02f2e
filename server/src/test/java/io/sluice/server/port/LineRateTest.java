package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LineRateTest {
    private final AtomicLong nanos = new AtomicLong();
    private final LineRate rate = new LineRate(nanos::get, 2);

    @Test
    void allowsSoManyLinesInEachSecondAndCountsTheOthers() {
        assertThat(rate.allows()).isTrue();
        assertThat(rate.allows()).isTrue();
        assertThat(rate.allows()).isFalse();
        assertThat(rate.allows()).isFalse();
        assertThat(rate.takeLeftOut()).isZero(); // the second is not over

        nanos.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(rate.takeLeftOut()).isEqualTo(2);
        assertThat(rate.takeLeftOut()).isZero();
        assertThat(rate.allows()).isTrue();
    }
}
