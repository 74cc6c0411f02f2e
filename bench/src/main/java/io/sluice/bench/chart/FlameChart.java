package io.sluice.bench.chart;

import java.util.Comparator;
import java.util.List;

/**
 * A flame graph that hangs: below each part stand its own parts, each as wide as its share of the whole, the largest first.
 * Pointing at one shows its long name and its share. For one use.
 */
public final class FlameChart {
    private static final int WIDTH = 1200;
    private static final int LEFT = 20;
    private static final int HEAD = 84;
    private static final int ROW = 18;
    private static final int FOOT = 14;
    private static final int WHOLE = WIDTH - 2 * LEFT;

    /** What is narrower is left out, and what is deeper. */
    private static final double NARROWEST = 2.5;

    private static final int DEEPEST = 24;

    /** What is narrower bears no name. */
    private static final double NARROWEST_NAMED = 30;

    private static final double CHARACTER = 6.1;

    private static final String STYLE = """
            text { font: 11px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
            .title { font-size: 17px; font-weight: 600; }
            .weak { fill: #59636e; }
            .page { fill: #ffffff; }
            .frame { fill-opacity: 0.5; stroke: #ffffff; stroke-width: 1; }
            text { pointer-events: none; }
            """;

    private static final String DARK_STYLE = """
            text { fill: #f0f6fc; }
            .weak { fill: #9198a1; }
            .page { fill: #0d1117; }
            .frame { stroke: #0d1117; }
            """;

    private static final String PAINT_RULE = ".%s { fill: %s; }\n";

    private final FlameNode whole;
    private final SvgWriter out;

    private FlameChart(String title, FlameNode whole) {
        this.whole = whole;
        this.out = new SvgWriter(WIDTH, height(), title);
    }

    /** Draws one. */
    public static String svg(String title, String subtitle, List<BarChart.Legend> legend, FlameNode whole) {
        return new FlameChart(title, whole).draw(title, subtitle, legend);
    }

    private String draw(String title, String subtitle, List<BarChart.Legend> legend) {
        out.style(STYLE, DARK_STYLE, PAINT_RULE);
        out.add("<rect class=\"page\" width=\"%d\" height=\"%d\" rx=\"6\"/>", WIDTH, height());
        out.text("title", "start", LEFT, 30, title);
        out.text("weak", "start", LEFT, 49, subtitle);
        double x = LEFT;
        for (BarChart.Legend one : legend) {
            rect(one.paint(), x, 62, 11, 11);
            out.add("</g>");
            out.text("", "start", x + 16, 72, one.text());
            x += 16 + 18 + one.text().length() * CHARACTER;
        }
        draw(whole, LEFT, 0);
        return out.end();
    }

    private int height() {
        return HEAD + Math.min(DEEPEST, depth(whole)) * ROW + FOOT;
    }

    private int depth(FlameNode node) {
        return isDrawn(node)
                ? 1 + node.parts().stream().mapToInt(this::depth).max().orElse(0)
                : 0;
    }

    private boolean isDrawn(FlameNode node) {
        return width(node) >= NARROWEST;
    }

    private double width(FlameNode node) {
        return whole.value() <= 0 ? 0 : WHOLE * node.value() / whole.value();
    }

    private void draw(FlameNode node, double x, int depth) {
        if (!isDrawn(node) || depth == DEEPEST) {
            return;
        }
        double width = width(node);
        int y = HEAD + depth * ROW;
        rect(node.paint(), x, y, width, ROW);
        out.add(
                "<title>%s: %.1f %%</title></g>",
                SvgWriter.escaped(node.longName()), 100 * node.value() / whole.value());
        if (width >= NARROWEST_NAMED) {
            out.text("", "start", x + 4, y + ROW - 5, fitting(node.name(), width - 6));
        }
        double at = x;
        for (FlameNode part : node.parts().stream()
                .sorted(Comparator.comparingDouble(FlameNode::value).reversed())
                .toList()) {
            draw(part, at, depth + 1);
            at += width(part);
        }
    }

    private static String fitting(String name, double width) {
        int characters = (int) (width / CHARACTER);
        return name.length() <= characters ? name : name.substring(0, Math.max(1, characters - 1)) + "…";
    }

    /** Opens a group with a rectangle in it. */
    private void rect(Paint paint, double x, double y, double width, int height) {
        out.add(
                "<g><rect class=\"frame %s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%d\" rx=\"2\"/>",
                paint.cssClass(), SvgWriter.number(x), SvgWriter.number(y), SvgWriter.number(width), height);
    }
}
