package io.sluice.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReportTest {
    @Test
    void showsTheMedianRunAndTheRatioToTheFirstBridge() {
        Report report = report(
                run("sluice", 10, null),
                run("other", 40, null),
                run("sluice", 30, null),
                run("other", 40, null),
                run("sluice", 20, null),
                run("other", 40, null));

        assertThat(report.table())
                .contains("| sluice | 50,000 (33,333 to 100,000) | 1.00 | 45,455 | 75,000 | 5.00 | 2.00 |")
                .contains("| other | 25,000 (25,000 to 25,000) | 0.50 |");
        assertThat(report.isComplete()).isTrue();
    }

    @Test
    void oneWrongRunIsShown() {
        Report report = report(run("sluice", 10, null), run("sluice", 20, "a row is missing"));

        assertThat(report.table()).contains("WRONG: a row is missing");
        assertThat(report.isComplete()).isFalse();
    }

    private static Report report(Measurement... runs) {
        return new Report(new Results(List.of(runs), List.of()));
    }

    private static Measurement run(String bridge, double seconds, @Nullable String problem) {
        Measurement.Steady steady = new Measurement.Steady(750_000, seconds / 2, new CpuSeconds(1.5, 0.5, 0.5));
        return new Measurement(
                bridge,
                "mixed",
                "raw",
                "1x1",
                "none",
                1_000_000,
                seconds,
                seconds + 2,
                2,
                new CpuSeconds(5, 1, 1),
                steady,
                1 << 20,
                Map.of(),
                1,
                1,
                problem);
    }
}
