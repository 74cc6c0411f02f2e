package io.sluice.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CurveReportTest {
    private final CurveReport report = new CurveReport(List.of(
            point("columns", 5, 0.5), point("columns", 50, 5), point("instances", 1, 2), point("instances", 50, 3)));

    @Test
    void theCostOfColumnsIsThatOfOneColumn() {
        assertThat(report.table())
                .contains("| columns | 5 | raw | 500 | 100.0 |")
                .contains("| columns | 50 | raw | 5,000 | 100.0 |")
                .contains("| instances | 50 | raw | 3,000 |  |");
    }

    @Test
    void thePictureHasAChartForEachCurveThatWasMeasured() {
        assertThat(report.svg())
                .contains("Cost by columns", "Cost by instances", "Threads by instances", "Memory by instances")
                .doesNotContain("Cost by tables");
    }

    @Test
    void allCurvesAreMeasuredUnlessOneSaysOtherwise() {
        Path folder = Path.of("target");

        assertThat(CurveOptions.parse(List.of(), folder).curves()).containsExactlyInAnyOrder(Curve.values());
        assertThat(CurveOptions.parse(List.of("--only", "rows", "--percent", "5"), folder))
                .isEqualTo(new CurveOptions(
                        java.util.Set.of(Curve.ROWS), Path.of("target/curves.svg"), Integer.MAX_VALUE, 0.05));
        assertThatThrownBy(() -> CurveOptions.parse(List.of("--sometimes"), folder))
                .hasMessageContaining("--sometimes");
    }

    private static CurvePoint point(String curve, int place, double readCpuSeconds) {
        return new CurvePoint(
                curve,
                place,
                "raw",
                new StageResult(
                        1_000_000, 0.1, 2, 5, readCpuSeconds, 750_000, 2.5, 3, 1 << 28, 9, Map.of(), 10, 1, 1, null));
    }
}
