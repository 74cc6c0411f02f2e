package io.sluice.protocol.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RepeatedWarningTest {
    private long seconds;

    private final Time time = new Time() {
        @Override
        public long nanos() {
            return Duration.ofSeconds(seconds).toNanos();
        }

        @Override
        public long millis() {
            return Duration.ofSeconds(seconds).toMillis();
        }

        @Override
        public void sleep(Duration length) {
            throw new UnsupportedOperationException();
        }
    };

    @Test
    void isLoggedFirstAndThenEveryTenMinutesWithTheNumberOfAll() {
        RepeatedWarning warning = new RepeatedWarning(time);

        assertThat(warning.count()).isEqualTo(1);
        seconds = 599;
        assertThat(warning.count()).isZero();
        seconds = 600;
        assertThat(warning.count()).isEqualTo(3);
        assertThat(warning.count()).isZero();
    }
}
