package io.sluice.stream.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import org.junit.jupiter.api.Test;

class RepeatedWarningTest {
    @Test
    void isLoggedFirstAndThenEveryTenMinutesWithTheNumberOfAll() {
        HandTime time = new HandTime();
        RepeatedWarning warning = new RepeatedWarning(time);

        assertThat(warning.count()).isEqualTo(1);
        time.passSeconds(599);
        assertThat(warning.count()).isZero();
        time.passSeconds(1);
        assertThat(warning.count()).isEqualTo(3);
        assertThat(warning.count()).isZero();
    }
}
