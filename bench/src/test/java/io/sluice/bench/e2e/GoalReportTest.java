package io.sluice.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.sluice.bench.limit.BenchmarkFigures;
import io.sluice.bench.limit.ProducerFigures;
import io.sluice.bench.limit.PullFigures;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

class GoalReportTest {
    private static final int MILLION = 1_000_000;

    /** Fast enough, and 3 CPU seconds in all, 2.1 of them for the last three quarters. */
    private static final Measurement GOOD = run("sluice", "none", 100_000, 3, 2.1, 400);

    @Test
    void whoReachesAllHasMissedNothing() throws IOException {
        assertThat(missed(GOOD, limits(110_000, 1))).isEmpty();
    }

    @Test
    void everyGoalThatIsMissedIsNamed() throws IOException {
        Measurement slow = run("sluice", "none", 40_000, 30, 21, 600);

        assertThat(missed(slow, limits(100_000, 1)))
                .containsExactly(
                        "40 % of the limit, not 85",
                        "below Maxwell",
                        "steady: canal / 2.0, not 10",
                        "whole run: canal / 1.8, not 7",
                        "steady: Maxwell / 1.0, not 5",
                        "steady: Debezium / 1.6, not 5",
                        "600 MiB");
    }

    @Test
    void whereTheProducerTakesMoreThanATenthTheRestCounts() throws IOException {
        Measurement run = run("sluice", "none", 100_000, 7.5, 5.0, 400);

        assertThat(missed(run, limits(110_000, 1))).contains("steady: canal / 8.3, not 10");
        assertThat(missed(run, limits(110_000, 5.6))).noneMatch(text -> text.contains("canal"));
        assertThat(missed(run("sluice", "none", 100_000, 7.5, 7.0, 400), limits(110_000, 5.6)))
                .contains("without the producer: canal / 14.7, not 20");
    }

    @Test
    void kafkasBenchmarkIsTheLimitWhereItWasRun() throws IOException {
        BenchmarkFigures benchmark = new BenchmarkFigures(MILLION, 400_000, 800, 45_000);
        Results results = new Results(List.of(GOOD), List.of(limits(200_000, 1, benchmark)));

        assertThat(missed(GOOD, limits(200_000, 1, benchmark))).isEmpty();
        assertThat(missed(GOOD, limits(200_000, 1))).containsExactly("50 % of the limit, not 85");
        assertThat(new GoalReport(results, References.load()).text())
                .contains("| 550 | 113 | 200 | **100** | 89 % | 50 % | 4.8 | reached |");
    }

    @Test
    void withCompressionFourTimesCanalsRateIsAsked() throws IOException {
        assertThat(missed(run("sluice", "lz4", 84_000, 30, 20, 400), limits(900_000, 1)))
                .isEmpty();
        assertThat(missed(run("sluice", "lz4", 63_000, 30, 20, 400), limits(900_000, 1)))
                .containsExactly("canal × 3.0, not 4");
    }

    @Test
    void aPeerOfThisRunMustBeSlower() throws IOException {
        Results results = new Results(List.of(GOOD, run("newcomer", "none", 120_000, 3, 2.1, 400)), List.of());

        assertThat(Goals.missedSpeed(CellFigures.of(results, References.load()).get(0)))
                .containsExactly("below newcomer of this run");
    }

    /** Half as fast as there for the slower bridge, a third as fast for the other: what counts is the half. */
    @Test
    void figuresOfAnotherMachineAreMadeThoseOfThisOne() throws IOException {
        Measurement maxwell = run("maxwell", "none", 20_500, 56, 40, 700);
        Measurement debezium = run("debezium", "none", 11_000, 133.8, 100, 700);
        Results results = new Results(List.of(GOOD, maxwell, debezium), List.of());

        CellFigures figures = CellFigures.of(results, References.load()).get(0);

        assertThat(figures.canalsLeastCpuSeconds()).isCloseTo(2 * 55, offset(0.01));
        assertThat(figures.canalsShippedRowsPerSecond()).isCloseTo(21_000 / 2.0, offset(0.01));
        assertThat(new GoalReport(results, References.load()).text())
                .contains("For the mixed workload they are multiplied, CPU seconds by 2.00 and rows/s by 0.50")
                .contains("Debezium took 133.8 CPU s per million rows and reached 11 k rows/s")
                .contains("(126–134, 110–122 at its best)");
    }

    @Test
    void ofABridgeThatRanWithAnotherFormNothingIsToldOfTheMachine() throws IOException {
        Results results = new Results(List.of(GOOD, run("maxwell", "lz4", 20_500, 56, 40, 700)), List.of());

        assertThat(new GoalReport(results, References.load()).text())
                .contains("None of them was measured here with the mixed workload");
    }

    @Test
    void theTablesHaveOurFiguresAndThoseOfOthers() throws IOException {
        Results results = new Results(
                List.of(GOOD, run("canal-copy", "none", 20_000, 60, 40, 1500)), List.of(limits(110_000, 1)));

        assertThat(new GoalReport(results, References.load()).text())
                .contains(
                        "| mixed | flat | 1x1 | none | canal-copy 20, (14–21, 19–26 at its best) | (Maxwell 41–50, Debezium 33)"
                                + " | 550 | – | 110 | **100** | 91 % | 91 % | 4.8 | reached |")
                .contains(
                        "| mixed | flat | 1x1 | none | canal-copy 60.0, (63–67, 55–61 at its best) | (Maxwell 28, Debezium 44.6)"
                                + " | 1.00 | 3.00 | **2.80** | 19.6 | **3.00** | 18.3 | 400 MiB | reached |");
    }

    /** 2.1, 0.6 and 0.3 CPU seconds for 750,000 rows in 5 seconds; a million would cost 1, 0.8 and 0.4 with the producer alone. */
    @Test
    void theProcessorsAreSharedAmongThree() throws IOException {
        Results results = new Results(List.of(GOOD), List.of(limits(110_000, 1)));

        assertThat(new GoalReport(results, References.load()).text())
                .contains("| mixed | flat | 1x1 | 2.80 | 0.80 | 0.40 | 0.60 of 2 | 150 | 1.00 | 909 |");
        assertThat(new GoalReport(new Results(List.of(GOOD), List.of()), References.load()).text())
                .doesNotContain("processors busy");
    }

    @Test
    void ourProcessorTimeIsToldByThreads() throws IOException {
        assertThat(new GoalReport(new Results(List.of(GOOD), List.of()), References.load()).text())
                .contains(
                        "| mixed | flat | 1x1 | none | 0.10 | 0.75 | 0.30 | 0.20 | 0.00 | 1.00 | 0.00 | 0.65 | 3.00 |");
    }

    @Test
    void thePicturesAreXmlWithTheFigures(@TempDir Path folder) throws Exception {
        Measurement compressed = run("sluice", "lz4", 150_000, 3.5, 2.4, 400);
        Results results = new Results(List.of(GOOD, compressed), List.of(limits(110_000, 1)));

        new GoalReport(results, References.load()).write(folder.resolve("new"));

        assertThat(text(folder.resolve("new/rows.svg")))
                .contains("100 k, 91 % of the limit", "150 k", "14–21 k", "mixed, flat", "1 topic, 1 partition");
        assertThat(text(folder.resolve("new/cpu.svg"))).contains("2.8, whole run 3.0", "63.0–67.0");
        assertThat(folder.resolve("new/cells.md")).isNotEmptyFile();
    }

    @Test
    void whatWasWrittenToFilesCanBeReportedOnTogether(@TempDir Path folder) throws IOException {
        Results first = new Results(List.of(GOOD), List.of(limits(110_000, 1)));
        Results second = new Results(List.of(run("canal", "none", 20_000, 60, 40, 1500)), List.of());
        first.write(folder.resolve("first"));
        second.write(folder.resolve("second"));

        Results read = Results.read(List.of(folder.resolve("first"), folder.resolve("second")));

        assertThat(read.runs())
                .containsExactly(first.runs().get(0), second.runs().get(0));
        assertThat(read.limits()).isEqualTo(first.limits());
    }

    @Test
    void everyCaseHasAFigureOfCanal() throws IOException {
        References references = References.load();

        for (String workload : List.of("mixed", "batch")) {
            for (String form : List.of("raw", "flat")) {
                for (Layout layout : Layout.values()) {
                    assertThat(references.of(workload, form, layout.spelled()))
                            .anyMatch(one -> one.isCanal() && one.isShipped());
                }
            }
        }
        assertThat(references.figures()).allSatisfy(one -> {
            assertThat(one.cpuSeconds()).hasSize(2).isSorted();
            assertThat(one.rowsPerSecond()).hasSize(2).isSorted();
        });
    }

    private static List<String> missed(Measurement run, Limits limits) throws IOException {
        Limits ofCell = new Limits(
                run.workload(),
                run.form(),
                run.layout(),
                run.compression(),
                limits.pull(),
                limits.producer(),
                limits.benchmark());
        Results results = new Results(List.of(run), List.of(ofCell));
        CellFigures figures = CellFigures.of(results, References.load()).get(0);
        List<String> missed = new ArrayList<>(Goals.missedSpeed(figures));
        missed.addAll(Goals.missedCosts(figures));
        return missed;
    }

    private static Limits limits(double producerRowsPerSecond, double producersSteadyCpuSeconds) {
        return limits(producerRowsPerSecond, producersSteadyCpuSeconds, null);
    }

    private static Limits limits(
            double producerRowsPerSecond, double producersSteadyCpuSeconds, @Nullable BenchmarkFigures benchmark) {
        return new Limits(
                "mixed",
                "flat",
                "1x1",
                "none",
                new PullFigures(MILLION, 480 << 20, MILLION / 550_000.0),
                new ProducerFigures(
                        MILLION,
                        400_000,
                        300 << 20,
                        MILLION / producerRowsPerSecond,
                        3,
                        0.75,
                        3,
                        producersSteadyCpuSeconds * 0.75),
                benchmark);
    }

    private static Measurement run(
            String bridge,
            String compression,
            double rowsPerSecond,
            double cpuSeconds,
            double steadyCpuSeconds,
            int mebibytes) {
        double seconds = MILLION / rowsPerSecond;
        return new Measurement(
                bridge,
                "mixed",
                "flat",
                "1x1",
                compression,
                MILLION,
                seconds,
                seconds + 2,
                2,
                new CpuSeconds(cpuSeconds, 1, 1),
                new Measurement.Steady(750_000, seconds / 2, new CpuSeconds(steadyCpuSeconds, 0.3, 0.6)),
                (long) mebibytes << 20,
                Map.of(
                        "CN CompilerThre", 1.0,
                        "encoder-N", 0.5,
                        "converter-N", 0.25,
                        "sender-bench", 0.3,
                        "kafka-producer-", 0.2,
                        "bench-reader", 0.1),
                400_000,
                300 << 20,
                null);
    }

    private static String text(Path svg) throws Exception {
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(Files.readString(svg).getBytes(StandardCharsets.UTF_8)));
        return document.getDocumentElement().getTextContent();
    }
}
