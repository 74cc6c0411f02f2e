package io.sluice.bench.e2e;

import com.google.errorprone.annotations.FormatMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Holds what was measured against the goals: two tables in Markdown, and a picture of each. */
final class GoalReport {
    private static final String SPEED_HEAD = """
            | workload | form | layout | compression | canal, k rows/s | others | binlog pulled | Kafka's benchmark | \
            producer alone | Sluice | of the limit | of the producer alone | times canal | goals |
            | --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
            """;

    private static final String CPU_HEAD = """
            | workload | form | layout | compression | canal's best | others | producer alone, steady | whole run | Sluice, steady | \
            canal / steady | Sluice, whole run | canal / whole run | peak memory | goals |
            | --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
            """;

    private static final String NONE = "–";

    private final List<CellFigures> cells;
    private final References references;
    private final List<Machine> machines;

    GoalReport(Results results, References references) {
        this.cells = CellFigures.of(results, references);
        this.references = references;
        this.machines = cells.stream()
                .map(cell -> cell.ours().workload())
                .distinct()
                .map(workload -> Machine.of(workload, results, references))
                .toList();
    }

    /** Writes {@code cells.md}, {@code rows.svg} and {@code cpu.svg} into a folder, which is made if it is not there. */
    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("cells.md"), text());
        Pictures pictures = new Pictures(cells);
        Files.writeString(folder.resolve("rows.svg"), pictures.rows().svg());
        Files.writeString(folder.resolve("cpu.svg"), pictures.cpu().svg());
    }

    /** The tables, and what has to be known to read them. */
    String text() {
        StringBuilder text = new StringBuilder("""
                # End to end, case by case

                Written by `bench/e2e.sh --report`; [bench/README.md](../../bench/README.md) says what the figures are.

                ## Thousand rows per second

                """);
        text.append(SPEED_HEAD);
        cells.forEach(cell -> text.append(speedRow(cell)));
        text.append("\n## CPU seconds per million rows\n\n").append(CPU_HEAD);
        cells.forEach(cell -> text.append(cpuRow(cell)));
        text.append("""

                In parentheses: figures of other runs. %s %s All that is not in parentheses was measured together. *Limit* is the
                smaller of two: the binlog pulled by our client and thrown away, and what Kafka's own benchmark, `kafka-producer-perf-test.sh`,
                reaches with records of the same size in one partition (`acks=all`, `batch.size=524288`, `linger.ms=5`). *Producer alone* is
                a program of ours that only gives the same records to Kafka's producer, with the same settings.
                *Steady* is after the first quarter of the rows. *canal / steady* divides canal's best by our figure.
                """.formatted(
                references.about(), machines.stream().map(Machine::sentence).collect(Collectors.joining(" "))));
        String cores = CoresTable.of(cells);
        if (!cores.isEmpty()) {
            text.append("""

                    ## Where the processors are

                    CPU seconds for a million rows, steady, of all three processes, which share the machine. The last column is what the
                    machine would carry if we cost no more than Kafka's producer alone, and reading a binlog nothing.

                    """).append(cores);
        }
        text.append("""

                ## What our processor time goes to

                CPU seconds for a million rows over the whole run, by thread. Kafka's producer appends and compresses on the sender's thread, and
                sends on its own.

                """).append(ThreadsTable.of(cells));
        return text.toString();
    }

    private static String speedRow(CellFigures cell) {
        Measurement ours = cell.ours();
        Limits limits = cell.limits();
        double canal = cell.canalsShippedRowsPerSecond();
        return row(List.of(
                name(cell),
                others(cell, true, Quantity.SPEED),
                others(cell, false, Quantity.SPEED),
                limits == null ? NONE : thousands(limits.pull().rowsPerSecond()),
                limits == null || limits.benchmark() == null
                        ? NONE
                        : thousands(limits.benchmark().rowsPerSecond()),
                limits == null ? NONE : thousands(limits.producer().rowsPerSecond()),
                "**" + thousands(ours.rowsPerSecond()) + "**",
                limits == null ? NONE : format("%.0f %%", 100 * ours.rowsPerSecond() / limits.rowsPerSecond()),
                limits == null
                        ? NONE
                        : format(
                                "%.0f %%",
                                100 * ours.rowsPerSecond() / limits.producer().rowsPerSecond()),
                canal == 0 ? NONE : format("%.1f", ours.rowsPerSecond() / canal),
                goals(Goals.missedSpeed(cell))));
    }

    private static String cpuRow(CellFigures cell) {
        Measurement ours = cell.ours();
        Limits limits = cell.limits();
        double canal = cell.canalsLeastCpuSeconds();
        double steady = ours.steady().cpuSecondsPerMillionRows();
        double whole = ours.cpuSecondsPerMillionRows();
        return row(List.of(
                name(cell),
                others(cell, true, Quantity.CPU),
                others(cell, false, Quantity.CPU),
                limits == null ? NONE : format("%.2f", limits.producer().steadyCpuSecondsPerMillionRows()),
                limits == null ? NONE : format("%.2f", limits.producer().cpuSecondsPerMillionRows()),
                format("**%.2f**", steady),
                canal == 0 || steady == 0 ? NONE : format("%.1f", canal / steady),
                format("**%.2f**", whole),
                canal == 0 ? NONE : format("%.1f", canal / whole),
                (ours.peakBytes() >> 20) + " MiB",
                goals(Goals.missedCosts(cell))));
    }

    private static String goals(List<String> missed) {
        return missed.isEmpty() ? "reached" : "missed: " + String.join("; ", missed);
    }

    /** What a column shows of other bridges. */
    private enum Quantity {
        SPEED {
            @Override
            String of(Measurement one) {
                return thousands(one.rowsPerSecond());
            }

            @Override
            String of(Reference one) {
                return range(
                        one.rowsPerSecond().get(0) / 1000, one.rowsPerSecond().get(1) / 1000);
            }
        },
        CPU {
            @Override
            String of(Measurement one) {
                return format("%.1f", one.cpuSecondsPerMillionRows());
            }

            @Override
            String of(Reference one) {
                return range(one.cpuSeconds().get(0), one.cpuSeconds().get(1));
            }
        };

        abstract String of(Measurement one);

        abstract String of(Reference one);
    }

    private static String others(CellFigures cell, boolean canal, Quantity quantity) {
        List<String> all = new ArrayList<>();
        for (Measurement one : cell.peers()) {
            boolean isCanal = one.bridge().startsWith("canal");
            if (isCanal == canal) {
                all.add((one.bridge().equals("canal") ? "" : one.bridge() + " ") + quantity.of(one));
            }
        }
        String earlier = cell.references().stream()
                .filter(one -> one.isCanal() == canal)
                .map(one -> canal
                        ? quantity.of(one) + (one.isShipped() ? "" : " at its best")
                        : one.bridge() + " " + quantity.of(one))
                .collect(Collectors.joining(", "));
        if (!earlier.isEmpty()) {
            all.add("(" + earlier + ")");
        }
        return all.isEmpty() ? NONE : String.join(", ", all);
    }

    private static String name(CellFigures cell) {
        Measurement ours = cell.ours();
        return String.join(" | ", ours.workload(), ours.form(), ours.layout(), ours.compression());
    }

    private static String row(List<String> columns) {
        return "| " + String.join(" | ", columns) + " |\n";
    }

    private static String range(double low, double high) {
        return low == high ? number(high) : number(low) + "–" + number(high);
    }

    private static String number(double value) {
        return value == Math.rint(value) || value >= 100 ? format("%.0f", value) : format("%.1f", value);
    }

    private static String thousands(double value) {
        return format("%,.0f", value / 1000);
    }

    @FormatMethod
    private static String format(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
