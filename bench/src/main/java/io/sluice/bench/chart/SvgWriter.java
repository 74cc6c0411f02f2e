package io.sluice.bench.chart;

import com.google.errorprone.annotations.FormatMethod;
import java.util.Locale;

/** Writes an SVG document from its start to its end. Lengths are in pixels of its own size, which viewers scale. For one use. */
final class SvgWriter {
    private final StringBuilder out = new StringBuilder(1 << 15);

    /**
     * Begins one.
     *
     * @param title for those who do not see it
     */
    SvgWriter(int width, int height, String title) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">",
                width, height, width, height);
        add("<title>%s</title>", escaped(title));
    }

    /**
     * Writes the rules of its looks.
     *
     * @param light for light pages
     * @param dark what is different on dark ones
     * @param rule of each {@link Paint}, of which the class is the first argument, and the colour the second
     */
    void style(String light, String dark, String rule) {
        out.append("<style>\n").append(light);
        StringBuilder onDark = new StringBuilder(dark);
        for (Paint paint : Paint.values()) {
            out.append(rule.formatted(paint.cssClass(), paint.light()));
            onDark.append(rule.formatted(paint.cssClass(), paint.dark()));
        }
        out.append("@media (prefers-color-scheme: dark) {\n").append(onDark).append("}\n</style>\n");
    }

    /** Writes a line, numbers as in English. */
    @FormatMethod
    void add(String form, Object... values) {
        out.append(String.format(Locale.ROOT, form, values)).append('\n');
    }

    /**
     * Writes a text.
     *
     * @param cssClass of its looks; empty for the usual ones
     * @param anchor which of its ends {@code x} is: {@code start}, {@code middle} or {@code end}
     */
    void text(String cssClass, String anchor, double x, double y, String text) {
        add(
                "<text%s text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>",
                cssClass.isEmpty() ? "" : " class=\"" + cssClass + "\"", anchor, number(x), number(y), escaped(text));
    }

    /** Ends it; the whole document. */
    String end() {
        return out.append("</svg>\n").toString();
    }

    /** A length, as short as can be. */
    static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value).replaceAll("\\.0$", "");
    }

    /** A text as the content of an element, or as an attribute in double quotes. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
