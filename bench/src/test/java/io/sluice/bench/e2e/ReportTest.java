package io.sluice.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @TempDir
    private Path folder;

    @Test
    void showsMediansWithTheirSpreadAndRatiosOfPairs() {
        Report report = new Report(List.of(
                run("A", 10, null),
                run("A", 30, null),
                run("A", 20, null),
                run("B", 20, null),
                run("B", 30, null),
                run("B", 10, null)));

        assertThat(report.table())
                .contains("| mixed-raw-1x1 | A | 50,000 (33,333 to 100,000) |  |")
                .contains("| mixed-raw-1x1 | B | 50,000 (33,333 to 100,000) | 1.000 |")
                .contains("| all, geometric mean | B |  | 1.000 |");
        assertThat(report.isCorrect()).isTrue();
    }

    @Test
    void aRatioAboveOneIsMoreOfTheSecondBridge() {
        Report report = new Report(List.of(run("A", 20, null), run("B", 10, null)));

        assertThat(report.table())
                .contains("| mixed-raw-1x1 | B | 100,000 | 2.000 |")
                .contains("| 1.00 | 0.500 | 1 | 1.000 | ok |");
    }

    @Test
    void threadsAreSummedUpByRole() {
        Report report = new Report(List.of(run("A", 1, null), run("A", 2, null), run("A", 9, null)));

        assertThat(report.threadTable())
                .contains(
                        "| cell | bridge | reader | encoders | converters | sender | kafka | GC | compilers | others |")
                .contains("| mixed-raw-1x1 | A | 0.50 | 0.00 | 0.00 | 0.00 | 0.00 | 2.00 | 0.00 | 4.00 |");
    }

    @Test
    void oneWrongRunIsShown() {
        Report report = new Report(List.of(run("A", 10, null), run("A", 20, "a row is missing")));

        assertThat(report.table()).contains("WRONG: a row is missing");
        assertThat(report.isCorrect()).isFalse();
    }

    @Test
    void aPageHasTheConditionsAndTheTableAndAFileOfAllFigures() throws IOException {
        Path file = folder.resolve("results/page.md");

        new Page(file, List.of("A: `old.tar.gz`")).write(List.of(run("A", 10, null)));

        assertThat(file).content().contains("- A: `old.tar.gz`", "| mixed-raw-1x1 | A | 100,000 |");
        assertThat(Files.readString(folder.resolve("results/page.json"))).contains("\"bridge\" : \"A\"");
    }

    private static Measurement run(String bridge, double seconds, @Nullable String problem) {
        return new Measurement(
                bridge,
                "mixed-raw-1x1",
                1,
                1_000_000,
                seconds,
                seconds + 2,
                seconds / 10,
                Map.of(Measurement.BRIDGE, 5.0),
                new Measurement.SecondHalf(
                        500_000,
                        seconds / 2,
                        Map.of(Measurement.BRIDGE, 1.5),
                        Map.of("bench-reader", 0.25, "GC Thread#N", 0.5, "G1 Conc#N", 0.5, "VM Thread", seconds)),
                1 << 20,
                Map.of(),
                1,
                1,
                "0",
                problem);
    }
}
