package io.sluice.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CpuSamplesTest {
    private final CpuSamples samples = new CpuSamples(1_000, new CpuSeconds(0, 10, 20));

    @Test
    void timesBetweenSamplesAreInterpolated() {
        samples.add(2_000, new CpuSeconds(1.5, 11, 24));
        samples.add(2_100, new CpuSeconds(1.7, 11, 24));

        CpuSeconds half = samples.at(1_500);
        assertThat(half.bridge()).isCloseTo(0.75, within(1e-9));
        assertThat(half.source()).isCloseTo(10.5, within(1e-9));
        assertThat(half.broker()).isCloseTo(22, within(1e-9));
        assertThat(samples.at(2_000)).isEqualTo(new CpuSeconds(1.5, 11, 24));
        assertThat(samples.at(2_050).bridge()).isCloseTo(1.6, within(1e-9));
    }

    @Test
    void beforeAndAfterAllSamplesTheNearestCounts() {
        samples.add(2_000, new CpuSeconds(1.5, 11, 24));

        assertThat(samples.at(900)).isEqualTo(new CpuSeconds(0, 10, 20));
        assertThat(samples.at(2_500)).isEqualTo(new CpuSeconds(1.5, 11, 24));
    }
}
