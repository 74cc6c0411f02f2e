package io.sluice.bench.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What our server must reach in a case, and whether it does. */
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

    /** What was missed, each with its figures; empty if all was reached. */
    static List<String> missed(CellFigures figures) {
        Goals goals = new Goals(figures);
        goals.check();
        return List.copyOf(goals.missed);
    }

    private void check() {
        Measurement ours = figures.ours();
        if (ours.problem() != null) {
            missed.add("WRONG: " + ours.problem());
        }
        if (figures.isCompressed()) {
            require(
                    figures.canalsShippedRowsPerSecond() * COMPRESSED_TIMES <= ours.rowsPerSecond(),
                    "%.1f times canal's rows/s",
                    ours.rowsPerSecond() / figures.canalsShippedRowsPerSecond());
        } else {
            checkCpu(ours);
            checkSpeed(ours);
        }
        long mebibytes = ours.peakBytes() >> 20;
        require(mebibytes < MEBIBYTES, "%d MiB", mebibytes);
    }

    private void checkCpu(Measurement ours) {
        double canal = figures.canalsLeastCpuSeconds();
        double steady = ours.steady().cpuSecondsPerMillionRows();
        double producer = producersCpuSeconds();
        if (canal > 0) {
            if (producer > canal / STEADY_TIMES) {
                require(
                        steady - producer <= canal / REST_TIMES,
                        "1/%.1f of canal's CPU steady, without the producer",
                        canal / (steady - producer));
            } else {
                require(steady <= canal / STEADY_TIMES, "1/%.1f of canal's CPU steady", canal / steady);
            }
            double whole = ours.cpuSecondsPerMillionRows();
            require(whole <= canal / WHOLE_TIMES, "1/%.1f of canal's CPU over the whole run", canal / whole);
        }
        for (Reference one : figures.references()) {
            if (!one.isCanal()) {
                require(
                        steady <= one.leastCpuSeconds() / JSON_TIMES,
                        "1/%.1f of %s's CPU steady",
                        one.leastCpuSeconds() / steady,
                        one.bridge());
            }
        }
    }

    private void checkSpeed(Measurement ours) {
        Limits limits = figures.limits();
        if (limits != null) {
            double share = ours.rowsPerSecond() / limits.rowsPerSecond();
            require(share >= LIMIT_SHARE, "%.0f %% of the limit", share * 100);
        }
        for (Reference one : figures.references()) {
            require(one.mostRowsPerSecond() < ours.rowsPerSecond(), "slower than %s", one.bridge());
        }
        for (Measurement one : figures.peers()) {
            require(one.rowsPerSecond() < ours.rowsPerSecond(), "slower than %s", one.bridge());
        }
    }

    /** What Kafka's producer takes alone for a million rows, steady; 0 if that was not measured. */
    private double producersCpuSeconds() {
        Limits limits = figures.limits();
        return limits == null ? 0 : limits.producer().steadyCpuSecondsPerMillionRows();
    }

    private void require(boolean isReached, String form, Object... values) {
        if (!isReached) {
            missed.add(String.format(Locale.ROOT, form, values));
        }
    }
}
