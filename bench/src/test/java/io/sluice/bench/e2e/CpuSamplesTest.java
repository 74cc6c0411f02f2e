package io.sluice.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CpuSamplesTest {
    private final CpuSamples samples = new CpuSamples(1_000);

    @Test
    void betweenSamplesTheTimeIsOnTheLine() {
        samples.add(2_000, 1.5);
        samples.add(2_100, 1.7);

        assertThat(samples.at(1_500)).isCloseTo(0.75, within(1e-9));
        assertThat(samples.at(2_000)).isCloseTo(1.5, within(1e-9));
        assertThat(samples.at(2_050)).isCloseTo(1.6, within(1e-9));
    }

    @Test
    void beyondTheSamplesTheNearestCounts() {
        samples.add(2_000, 1.5);

        assertThat(samples.at(900)).isZero();
        assertThat(samples.at(2_500)).isEqualTo(1.5);
    }
}
