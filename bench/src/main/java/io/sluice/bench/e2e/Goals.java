package io.sluice.bench.e2e;

import com.google.errorprone.annotations.FormatMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What our server must reach in a case of which canal's figures are known, and whether it does. */
final class Goals {
    /** Our CPU seconds against canal's best. */
    private static final double STEADY_TIMES = 10;

    private static final double WHOLE_TIMES = 7;
    /** What is left to us where Kafka's producer alone takes more than a tenth. */
    private static final double REST_TIMES = 20;
    /** Our CPU seconds against those of other bridges that write JSON. */
    private static final double JSON_TIMES = 5;

    private static final double LIMIT_SHARE = 0.85;
    /** Our rows per second against canal's, both with settings as shipped, but ours with compression. */
    private static final double COMPRESSED_TIMES = 4;

    private static final long MEBIBYTES = 512;

    private final CellFigures figures;
    private final List<String> missed = new ArrayList<>();

    private Goals(CellFigures figures) {
        this.figures = figures;
    }

    /** What was missed of the rows per second, each with its figures; empty if all was reached. */
    static List<String> missedSpeed(CellFigures figures) {
        Goals goals = new Goals(figures);
        goals.checkSpeed(figures.ours());
        return List.copyOf(goals.missed);
    }

    /** The same of CPU seconds and memory. */
    static List<String> missedCosts(CellFigures figures) {
        Goals goals = new Goals(figures);
        if (!figures.isCompressed()) {
            goals.checkCpu(figures.ours());
        }
        long mebibytes = figures.ours().peakBytes() >> 20;
        goals.require(mebibytes < MEBIBYTES, "%d MiB", mebibytes);
        return List.copyOf(goals.missed);
    }

    private void checkSpeed(Measurement ours) {
        double rate = ours.rowsPerSecond();
        if (ours.problem() != null) {
            missed.add("WRONG: " + ours.problem());
        }
        if (figures.isCompressed()) {
            double canal = figures.canalsShippedRowsPerSecond();
            require(rate >= COMPRESSED_TIMES * canal, "canal × %.1f, not %.0f", rate / canal, COMPRESSED_TIMES);
            return;
        }
        Limits limits = figures.limits();
        if (limits != null) {
            double share = rate / limits.rowsPerSecond();
            require(share >= LIMIT_SHARE, "%.0f %% of the limit, not %.0f", share * 100, LIMIT_SHARE * 100);
        }
        for (Reference one : figures.references()) {
            require(
                    one.mostRowsPerSecond() < rate,
                    "below %s%s",
                    one.bridge(),
                    one.isShipped() ? "" : " at its " + one.settings());
        }
        for (Measurement one : figures.peers()) {
            require(one.rowsPerSecond() < rate, "below %s of this run", one.bridge());
        }
    }

    private void checkCpu(Measurement ours) {
        double steady = ours.steady().cpuSecondsPerMillionRows();
        double whole = ours.cpuSecondsPerMillionRows();
        double canal = figures.canalsLeastCpuSeconds();
        double producer = producersCpuSeconds();
        if (producer > canal / STEADY_TIMES) {
            requireShare("without the producer", "canal", canal, steady - producer, REST_TIMES);
        } else {
            requireShare("steady", "canal", canal, steady, STEADY_TIMES);
        }
        requireShare("whole run", "canal", canal, whole, WHOLE_TIMES);
        for (Reference one : figures.references()) {
            if (!one.isCanal()) {
                requireShare("steady", one.bridge(), one.leastCpuSeconds(), steady, JSON_TIMES);
            }
        }
    }

    private void requireShare(String part, String whose, double theirs, double ours, double times) {
        require(ours * times <= theirs, "%s: %s / %.1f, not %.0f", part, whose, theirs / ours, times);
    }

    /** What Kafka's producer takes alone for a million rows, steady; 0 if that was not measured. */
    private double producersCpuSeconds() {
        Limits limits = figures.limits();
        return limits == null ? 0 : limits.producer().steadyCpuSecondsPerMillionRows();
    }

    @FormatMethod
    private void require(boolean isReached, String form, Object... values) {
        if (!isReached) {
            missed.add(String.format(Locale.ROOT, form, values));
        }
    }
}
