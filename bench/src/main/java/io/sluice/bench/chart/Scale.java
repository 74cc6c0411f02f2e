package io.sluice.bench.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An axis from 0 on.
 *
 * @param step between two of its ticks: 1, 2 or 5 times a power of ten
 * @param end its last tick
 */
record Scale(double step, double end) {
    private static final int MAX_TICKS = 7;

    /** One that has room for a value. */
    static Scale upTo(double largest) {
        double needed = largest <= 0 ? 1 : largest;
        double power = Math.pow(10, Math.floor(Math.log10(needed / MAX_TICKS)));
        for (double step : new double[] {power, 2 * power, 5 * power, 10 * power}) {
            if (needed / step <= MAX_TICKS) {
                return new Scale(step, step * Math.ceil(needed / step));
            }
        }
        throw new IllegalStateException("no step for " + largest);
    }

    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        for (int i = 0; i <= Math.round(end / step); i++) {
            ticks.add(i * step);
        }
        return ticks;
    }

    /** A tick's number, thousands as {@code k}. */
    static String text(double tick) {
        if (tick >= 1000) {
            return number(tick / 1000) + " k";
        }
        return number(tick);
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%,.2f", value).replaceAll("0+$", "");
    }
}
