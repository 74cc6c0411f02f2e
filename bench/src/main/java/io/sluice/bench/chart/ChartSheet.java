package io.sluice.bench.chart;

import java.util.List;
import java.util.Locale;

/** Line charts side by side in one picture, which shows as well on a dark page as on a light one. */
public final class ChartSheet {
    private static final int COLUMNS = 3;
    private static final int WIDTH = 300;
    private static final int HEIGHT = 210;
    private static final int LEFT = 48;
    private static final int RIGHT = 18;
    private static final int ABOVE = 46;
    private static final int BELOW = 36;
    private static final int STEPS = 4;
    private static final int LEGEND = 26;

    /** How wide a character is, about. */
    private static final double CHARACTER = 6.5;

    /** Told apart also by who does not see all colours. */
    private static final List<String> COLOURS = List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7");

    private final List<LineChart> charts;
    private final StringBuilder svg = new StringBuilder(1 << 14);

    private ChartSheet(List<LineChart> charts) {
        this.charts = charts;
    }

    /**
     * Draws charts, row by row.
     *
     * @param charts at least one; those that share lines should have them in one order, which gives them their colours
     */
    public static String svg(List<LineChart> charts) {
        return new ChartSheet(charts).draw();
    }

    private String draw() {
        int columns = Math.min(COLUMNS, charts.size());
        int rows = (charts.size() + COLUMNS - 1) / COLUMNS;
        int width = columns * WIDTH;
        int height = rows * HEIGHT + LEGEND;
        write("""
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" \
                font-family="sans-serif" font-size="11">
                <rect width="%d" height="%d" fill="#ffffff"/>
                """, width, height, width, height, width, height);
        for (int i = 0; i < charts.size(); i++) {
            write("<g transform=\"translate(%d,%d)\">\n", i % COLUMNS * WIDTH, i / COLUMNS * HEIGHT);
            draw(charts.get(i));
            write("</g>\n");
        }
        legend(height - LEGEND / 2);
        return svg.append("</svg>\n").toString();
    }

    private void draw(LineChart chart) {
        text(LEFT - 36, 18, "start", "#222222", "font-weight=\"bold\" font-size=\"12\"", chart.title());
        text(LEFT - 36, 33, "start", "#666666", "", chart.unit());
        double top = chart.top();
        for (int i = 0; i <= STEPS; i++) {
            double value = top * i / STEPS;
            double y = y(value, top);
            write(
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\"/>\n",
                    LEFT, y, WIDTH - RIGHT, y, i == 0 ? "#888888" : "#e4e4e4");
            text(LEFT - 6, y + 4, "end", "#666666", "", number(value));
        }
        double free = 0;
        for (double place : chart.places()) {
            double x = x(chart, place);
            String words = number(place);
            double half = words.length() * CHARACTER / 2;
            if (x - half >= free) { // else it would stand in the one before
                text(x, HEIGHT - BELOW + 15, "middle", "#666666", "", words);
                free = x + half + CHARACTER;
            }
        }
        text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - BELOW + 29, "middle", "#666666", "", chart.xLabel());
        for (int i = 0; i < chart.lines().size(); i++) {
            draw(chart, chart.lines().get(i), COLOURS.get(i % COLOURS.size()));
        }
    }

    private void draw(LineChart chart, LineChart.Line line, String colour) {
        StringBuilder path = new StringBuilder();
        for (LineChart.Point point : line.points()) {
            path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(chart, point.x()), y(point.value(), chart.top())));
        }
        write(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n",
                path.toString().strip(), colour);
        for (LineChart.Point point : line.points()) {
            write(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s: %s at %s</title></circle>\n",
                    x(chart, point.x()),
                    y(point.value(), chart.top()),
                    colour,
                    escaped(line.name()),
                    number(point.value()),
                    number(point.x()));
        }
    }

    private void legend(int y) {
        List<String> names = charts.stream()
                .flatMap(chart -> chart.lines().stream())
                .map(LineChart.Line::name)
                .distinct()
                .toList();
        for (int i = 0; i < names.size(); i++) {
            int x = LEFT - 36 + i * 90;
            write(
                    "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>\n",
                    x, y, x + 20, y, COLOURS.get(i % COLOURS.size()));
            text(x + 26, y + 4, "start", "#222222", "", names.get(i));
        }
    }

    private static double x(LineChart chart, double place) {
        return LEFT + 10 + chart.share(place) * (WIDTH - LEFT - RIGHT - 20);
    }

    private static double y(double value, double top) {
        return HEIGHT - BELOW - value / top * (HEIGHT - BELOW - ABOVE);
    }

    private void text(double x, double y, String anchor, String colour, String attributes, String words) {
        write(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\" %s>%s</text>\n",
                x, y, anchor, colour, attributes, escaped(words));
    }

    private void write(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
