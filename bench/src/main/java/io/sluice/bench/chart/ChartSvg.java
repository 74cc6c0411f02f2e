package io.sluice.bench.chart;

import com.google.errorprone.annotations.FormatMethod;
import java.util.Comparator;
import java.util.Locale;

/** Writes one chart. Lengths are in pixels of the document's own size, which viewers scale. For one use. */
final class ChartSvg {
    private static final int WIDTH = 900;
    private static final int HEAD = 96;
    private static final int ROW = 16;
    private static final int BAR = 11;
    private static final int GAP = 14;
    private static final int FOOT = 30;
    private static final int NAMES_END = 232;
    private static final int BARS_BEGIN = 240;
    /** Behind the longest bar there must be room for its label. */
    private static final int BARS_END = 740;

    private static final int LABEL_GAP = 7;
    /** The width of most characters, roughly: fonts differ. */
    private static final double CHARACTER = 6.5;

    private static final String STYLE = """
            text { font: 12px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
            .title { font-size: 17px; font-weight: 600; }
            .group { font-weight: 600; }
            .weak { fill: #59636e; font-size: 11px; }
            .page { fill: #ffffff; }
            .grid { stroke: #d1d9e0; stroke-width: 1; }
            .pale { opacity: 0.4; }
            .mark { stroke-width: 2; }
            .label { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; stroke-linejoin: round; }
            """;

    private static final String DARK_STYLE = """
            text { fill: #f0f6fc; }
            .weak { fill: #9198a1; }
            .page { fill: #0d1117; }
            .grid { stroke: #30363d; }
            .label { stroke: #0d1117; }
            """;

    private final BarChart chart;
    private final Scale scale;
    private final StringBuilder out = new StringBuilder(1 << 15);

    ChartSvg(BarChart chart) {
        this.chart = chart;
        this.scale = Scale.upTo(chart.largest());
    }

    String write() {
        int rows =
                chart.groups().stream().mapToInt(group -> group.bars().size()).sum();
        int end = HEAD + rows * ROW + chart.groups().size() * GAP;
        int height = end + FOOT;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">",
                WIDTH, height, WIDTH, height);
        add("<title>%s</title>", escaped(chart.title()));
        style();
        add("<rect class=\"page\" width=\"%d\" height=\"%d\" rx=\"6\"/>", WIDTH, height);
        text("title", "start", 20, 30, chart.title());
        text("weak", "start", 20, 49, chart.subtitle());
        legend();
        grid(end);
        int y = HEAD;
        for (BarGroup group : chart.groups()) {
            text("group", "start", 20, y + BAR, group.title());
            text("weak", "start", 20, y + BAR + ROW, group.subtitle());
            for (Bar bar : group.bars()) {
                bar(bar, y);
                y += ROW;
            }
            y += GAP;
        }
        add("</svg>");
        return out.toString();
    }

    private void style() {
        out.append("<style>\n").append(STYLE);
        StringBuilder dark = new StringBuilder(DARK_STYLE);
        for (Paint paint : Paint.values()) {
            rule(out, paint, paint.light());
            rule(dark, paint, paint.dark());
        }
        out.append("@media (prefers-color-scheme: dark) {\n").append(dark).append("}\n</style>\n");
    }

    private static void rule(StringBuilder to, Paint paint, String colour) {
        to.append(".%s { fill: %s; stroke: none; }\n".formatted(paint.cssClass(), colour));
        to.append(".mark.%s { stroke: %s; }\n".formatted(paint.cssClass(), colour));
    }

    private void legend() {
        int x = 20;
        for (BarChart.Legend one : chart.legend()) {
            String paint = one.paint().cssClass();
            if (one.isLine()) {
                add("<line class=\"mark %s\" x1=\"%d\" x2=\"%d\" y1=\"60\" y2=\"75\"/>", paint, x + 5, x + 5);
            } else {
                add("<rect class=\"%s\" x=\"%d\" y=\"62\" width=\"11\" height=\"11\" rx=\"2\"/>", paint, x);
            }
            text("", "start", x + 17, 72, one.text());
            x += 17 + 18 + (int) (one.text().length() * CHARACTER);
        }
    }

    private void grid(int end) {
        for (double tick : scale.ticks()) {
            double x = x(tick);
            add(
                    "<line class=\"grid\" x1=\"%s\" x2=\"%s\" y1=\"%d\" y2=\"%d\"/>",
                    number(x), number(x), HEAD - 8, end - GAP + 6);
            text("weak", "middle", x, end + 8, Scale.text(tick));
        }
    }

    private void bar(Bar bar, int y) {
        String paint = bar.paint().cssClass();
        text("weak", "end", NAMES_END, y + BAR - 1.5, bar.name());
        rect(paint, 0, bar.low(), y);
        if (bar.high() > bar.low()) {
            rect(paint + " pale", bar.low(), bar.high(), y);
        }
        for (Mark mark : bar.marks()) {
            String x = number(x(mark.value()));
            add(
                    "<line class=\"mark %s\" x1=\"%s\" x2=\"%s\" y1=\"%d\" y2=\"%d\"/>",
                    mark.paint().cssClass(), x, x, y - 2, y + BAR + 2);
        }
        text("label", "start", labelX(bar), y + BAR - 1, bar.label());
    }

    /** Behind the bar, and behind each mark that would cross the label. */
    private double labelX(Bar bar) {
        double begin = x(bar.high()) + LABEL_GAP;
        for (Mark mark : bar.marks().stream()
                .sorted(Comparator.comparingDouble(Mark::value))
                .toList()) {
            double x = x(mark.value());
            if (x > begin - LABEL_GAP && x < begin + bar.label().length() * CHARACTER) {
                begin = x + LABEL_GAP;
            }
        }
        return begin;
    }

    private void rect(String cssClass, double from, double to, int y) {
        add(
                "<rect class=\"%s\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\"/>",
                cssClass, number(x(from)), y, number(Math.max(x(to) - x(from), 1)), BAR);
    }

    private void text(String cssClass, String anchor, double x, double y, String text) {
        add(
                "<text%s text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>",
                cssClass.isEmpty() ? "" : " class=\"" + cssClass + "\"", anchor, number(x), number(y), escaped(text));
    }

    private double x(double value) {
        return BARS_BEGIN + (BARS_END - BARS_BEGIN) * value / scale.end();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value).replaceAll("\\.0$", "");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @FormatMethod
    private void add(String form, Object... values) {
        out.append(String.format(Locale.ROOT, form, values)).append('\n');
    }
}
