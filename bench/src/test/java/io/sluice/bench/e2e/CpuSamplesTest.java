package io.sluice.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CpuSamplesTest {
    private final CpuSamples samples = new CpuSamples();

    @BeforeEach
    void sample() {
        samples.add(1_000, Map.of("source", 10.0));
        samples.add(2_000, Map.of("source", 11.0, "bridge", 1.5));
        samples.add(2_100, Map.of("source", 11.0, "bridge", 1.7));
    }

    @Test
    void timesBetweenSamplesAreInterpolated() {
        assertThat(samples.between(1_500, 2_000).get("bridge")).isCloseTo(0.75, within(1e-9));
        assertThat(samples.between(1_500, 2_000).get("source")).isCloseTo(0.5, within(1e-9));
        assertThat(samples.between(2_000, 2_050).get("bridge")).isCloseTo(0.1, within(1e-9));
        assertThat(samples.between(2_000, 2_050).get("source")).isCloseTo(0, within(1e-9));
    }

    @Test
    void beforeAndAfterAllSamplesNothingIsSpent() {
        assertThat(samples.between(900, 2_500).get("source")).isCloseTo(1, within(1e-9));
        assertThat(samples.between(900, 2_500).get("bridge")).isCloseTo(1.7, within(1e-9));
    }
}
