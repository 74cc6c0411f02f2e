package io.sluice.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StageReportTest {
    @Test
    void aLiveRunIsComparedWithTheLimitOfItsWorkload() {
        StageReport report = new StageReport(List.of(
                new StageFigures("mixed", "pull", "-", result(2)),
                new StageFigures("mixed", "live", "raw", result(4))));

        assertThat(report.table()).contains("| mixed | live | raw | 250,000 | 300,000 | 50 % | 5.00 | 4.00 |");
        assertThat(report.isComplete()).isTrue();
    }

    @Test
    void theMiddleRunIsShownWithItsRange() {
        StageReport report = new StageReport(List.of(
                new StageFigures("mixed", "file", "raw", result(1)),
                new StageFigures("mixed", "file", "raw", result(4)),
                new StageFigures("mixed", "file", "raw", result(2))));

        assertThat(report.table()).contains("500,000 (250,000 to 1,000,000)");
    }

    @Test
    void aWrongRunMakesTheReportIncomplete() {
        StageReport report = new StageReport(
                List.of(new StageFigures("mixed", "file", "raw", result(1).with("7 rows too few"))));

        assertThat(report.isComplete()).isFalse();
        assertThat(report.table()).contains("WRONG: 7 rows too few");
    }

    private static StageResult result(double seconds) {
        return new StageResult(
                1_000_000, 0.1, seconds, 5, 750_000, 2.5, 3, 1 << 28, 9, Map.of(), 10, 1 << 20, 1 << 20, null);
    }
}
