package io.sluice.bench.stage;

import io.sluice.bench.chart.ChartSheet;
import io.sluice.bench.chart.LineChart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Turns the points of curves into a table and a picture. */
final class CurveReport {
    private static final String HEAD = """
            | against | | form | CPU ns per row | per value | rows/s | RSS MiB | threads |
            | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |
            """;

    private final List<CurvePoint> points;

    CurveReport(List<CurvePoint> points) {
        this.points = List.copyOf(points);
    }

    /** A Markdown table. */
    String table() {
        StringBuilder text = new StringBuilder(HEAD);
        for (Curve curve : Curve.values()) {
            for (CurvePoint point : of(curve)) {
                StageResult result = point.result();
                text.append(String.format(
                        Locale.ROOT,
                        "| %s | %,d | %s | %,.0f | %s | %,.0f | %d | %d |%n",
                        curve.spelled(),
                        point.place(),
                        point.form(),
                        result.cpuNanosPerRow(),
                        curve == Curve.COLUMNS ? String.format(Locale.ROOT, "%.1f", cost(curve, point)) : "",
                        result.rowsPerSecond(),
                        result.peakBytes() >> 20,
                        result.threads()));
            }
        }
        return text.toString();
    }

    private List<CurvePoint> of(Curve curve) {
        return points.stream()
                .filter(point -> point.curve().equals(curve.spelled()))
                .toList();
    }

    private static double cost(Curve curve, CurvePoint point) {
        return point.result().cpuNanosPerRow() / curve.valuesPerRow(point.place());
    }

    /** A chart of the cost for each curve that has points, and of threads and memory where they might grow. */
    String svg() {
        List<LineChart> charts = new ArrayList<>();
        for (Curve curve : Curve.values()) {
            String unit = curve == Curve.COLUMNS ? "CPU ns per column and row" : "CPU ns per row";
            add(charts, curve, "Cost by " + curve.spelled(), unit, point -> cost(curve, point));
        }
        add(
                charts,
                Curve.INSTANCES,
                "Threads by instances",
                "threads",
                point -> point.result().threads());
        add(charts, Curve.INSTANCES, "Memory by instances", "MiB resident", CurveReport::mebibytes);
        return ChartSheet.svg(charts);
    }

    private static double mebibytes(CurvePoint point) {
        return point.result().peakBytes() >> 20;
    }

    private void add(
            List<LineChart> charts, Curve curve, String title, String unit, ToDoubleFunction<CurvePoint> value) {
        List<CurvePoint> own = of(curve);
        if (own.isEmpty()) {
            return;
        }
        List<LineChart.Line> lines = own.stream()
                .map(CurvePoint::form)
                .distinct()
                .map(form -> new LineChart.Line(
                        form,
                        own.stream()
                                .filter(point -> point.form().equals(form))
                                .map(point ->
                                        new LineChart.Point(curve.onAxis(point.place()), value.applyAsDouble(point)))
                                .toList()))
                .toList();
        charts.add(new LineChart(title, unit, curve.label(), curve.logarithmic(), lines));
    }
}
