package io.sluice.bench.e2e;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the machine of some results compares with that of the references, told by the bridges that were measured on both with a
 * workload. Of several bridges the one counts that makes least of the difference in our favour, so that canal, which may not be at
 * hand, is not made to look worse than it would be.
 *
 * @param workload with which they were measured
 * @param cpuTimes how many times their CPU seconds there were needed here
 * @param speedTimes how many times their rows per second there were reached here
 * @param told what each took; empty if no bridge was measured on both, and then all is as it was there
 */
record Machine(String workload, double cpuTimes, double speedTimes, List<String> told) {
    private record Pair(Reference there, Measurement here) {
        double cpuTimes() {
            return here.cpuSecondsPerMillionRows() / there.cpuSeconds().get(1);
        }

        double speedTimes() {
            return here.rowsPerSecond() / there.rowsPerSecond().get(0);
        }

        String told() {
            return String.format(
                    Locale.ROOT,
                    "%s took %.1f CPU s per million rows and reached %.0f k rows/s",
                    there.bridge(),
                    here.cpuSecondsPerMillionRows(),
                    here.rowsPerSecond() / 1000);
        }
    }

    /** What the results tell of it. */
    static Machine of(String workload, Results results, References references) {
        List<Pair> pairs = references.figures().stream()
                .filter(one -> one.workload().equals(workload) && one.isShipped())
                .map(one -> pair(one, results))
                .filter(Objects::nonNull)
                .toList();
        return new Machine(
                workload,
                pairs.stream().mapToDouble(Pair::cpuTimes).min().orElse(1),
                pairs.stream().mapToDouble(Pair::speedTimes).max().orElse(1),
                pairs.stream().map(Pair::told).toList());
    }

    private static @Nullable Pair pair(Reference there, Results results) {
        List<Measurement> runs = results.runs().stream()
                .filter(one -> there.bridge().equalsIgnoreCase(one.bridge())
                        && one.workload().equals(there.workload())
                        && one.form().equals(there.form())
                        && one.layout().equals(there.layout())
                        && one.compression().equals(Compression.NONE.spelled()))
                .toList();
        return runs.isEmpty() ? null : new Pair(there, CellFigures.median(runs));
    }

    /** What a bridge would take here. */
    Reference here(Reference there) {
        return new Reference(
                there.workload(),
                there.form(),
                there.layout(),
                there.bridge(),
                there.settings(),
                there.cpuSeconds().stream().map(one -> one * cpuTimes).toList(),
                there.rowsPerSecond().stream().map(one -> one * speedTimes).toList());
    }

    /** Says it in a sentence. */
    String sentence() {
        if (told.isEmpty()) {
            return "None of them was measured here with the " + workload
                    + " workload, so its figures are as they were there.";
        }
        return String.format(
                Locale.ROOT,
                "For the %s workload they are multiplied, CPU seconds by %.2f and rows/s by %.2f, to be those of this machine, on which %s.",
                workload,
                cpuTimes,
                speedTimes,
                String.join(", ", told));
    }
}
