package io.sluice.bench.chart;

import java.util.Comparator;

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

    private static final String PAINT_RULE = """
            .%1$s { fill: %2$s; stroke: none; }
            .mark.%1$s { stroke: %2$s; }
            """;

    private final BarChart chart;
    private final Scale scale;
    private final int end;
    private final SvgWriter out;

    ChartSvg(BarChart chart) {
        this.chart = chart;
        this.scale = Scale.upTo(chart.largest());
        int rows =
                chart.groups().stream().mapToInt(group -> group.bars().size()).sum();
        this.end = HEAD + rows * ROW + chart.groups().size() * GAP;
        this.out = new SvgWriter(WIDTH, end + FOOT, chart.title());
    }

    String write() {
        out.style(STYLE, DARK_STYLE, PAINT_RULE);
        out.add("<rect class=\"page\" width=\"%d\" height=\"%d\" rx=\"6\"/>", WIDTH, end + FOOT);
        out.text("title", "start", 20, 30, chart.title());
        out.text("weak", "start", 20, 49, chart.subtitle());
        legend();
        grid();
        int y = HEAD;
        for (BarGroup group : chart.groups()) {
            out.text("group", "start", 20, y + BAR, group.title());
            out.text("weak", "start", 20, y + BAR + ROW, group.subtitle());
            for (Bar bar : group.bars()) {
                bar(bar, y);
                y += ROW;
            }
            y += GAP;
        }
        return out.end();
    }

    private void legend() {
        int x = 20;
        for (BarChart.Legend one : chart.legend()) {
            String paint = one.paint().cssClass();
            if (one.isLine()) {
                out.add("<line class=\"mark %s\" x1=\"%d\" x2=\"%d\" y1=\"60\" y2=\"75\"/>", paint, x + 5, x + 5);
            } else {
                out.add("<rect class=\"%s\" x=\"%d\" y=\"62\" width=\"11\" height=\"11\" rx=\"2\"/>", paint, x);
            }
            out.text("", "start", x + 17, 72, one.text());
            x += 17 + 18 + (int) (one.text().length() * CHARACTER);
        }
    }

    private void grid() {
        for (double tick : scale.ticks()) {
            double x = x(tick);
            out.add(
                    "<line class=\"grid\" x1=\"%s\" x2=\"%s\" y1=\"%d\" y2=\"%d\"/>",
                    SvgWriter.number(x), SvgWriter.number(x), HEAD - 8, end - GAP + 6);
            out.text("weak", "middle", x, end + 8, Scale.text(tick));
        }
    }

    private void bar(Bar bar, int y) {
        String paint = bar.paint().cssClass();
        out.text("weak", "end", NAMES_END, y + BAR - 1.5, bar.name());
        rect(paint, 0, bar.low(), y);
        if (bar.high() > bar.low()) {
            rect(paint + " pale", bar.low(), bar.high(), y);
        }
        for (Mark mark : bar.marks()) {
            String x = SvgWriter.number(x(mark.value()));
            out.add(
                    "<line class=\"mark %s\" x1=\"%s\" x2=\"%s\" y1=\"%d\" y2=\"%d\"/>",
                    mark.paint().cssClass(), x, x, y - 2, y + BAR + 2);
        }
        out.text("label", "start", labelX(bar), y + BAR - 1, bar.label());
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
        out.add(
                "<rect class=\"%s\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\"/>",
                cssClass, SvgWriter.number(x(from)), y, SvgWriter.number(Math.max(x(to) - x(from), 1)), BAR);
    }

    private double x(double value) {
        return BARS_BEGIN + (BARS_END - BARS_BEGIN) * value / scale.end();
    }
}
