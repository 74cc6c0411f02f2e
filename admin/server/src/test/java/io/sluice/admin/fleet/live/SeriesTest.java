package io.sluice.admin.fleet.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeriesTest {
    private final Series series = new Series(1000);

    @Test
    void keepsTheNewestSteps() {
        for (int step = 1000; step < 1300; step++) {
            series.add(step, step, 2L * step, 3, -1);
        }

        Series.Values values = series.upTo(1299);

        assertThat(values.rows()).hasSize(180).startsWith(1120L).endsWith(1299L);
        assertThat(values.bytes()).startsWith(2240L).endsWith(2598L);
        assertThat(values.lag()).containsOnly(3L);
        assertThat(values.delay()).containsOnlyNulls();
    }

    @Test
    void stepsWithoutAReportAreUnknown() {
        series.add(1000, 1, 1, 1, 1);
        series.add(1003, 4, 4, 4, 4);
        series.add(1002, 9, 9, 9, 9); // the clock was set back

        assertThat(series.upTo(1005).rows().subList(173, 180)).containsExactly(null, 1L, null, null, 4L, null, null);
    }

    @Test
    void forgetsWhatIsTooOld() {
        series.add(1000, 1, 1, 1, 1);
        series.add(5000, 2, 2, 2, 2);

        assertThat(series.upTo(5000).rows())
                .endsWith(2L)
                .filteredOn(value -> value != null)
                .hasSize(1);
        assertThat(series.upTo(5400).rows()).containsOnlyNulls();
    }
}
