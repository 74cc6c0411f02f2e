package io.sluice.bench.chart;

import java.util.Locale;

/** Colours, by what they say; each has one for light pages and one for dark ones. */
public enum Paint {
    /** What the chart is about. */
    MAIN("#1f6feb", "#388bfd"),
    /** The same in another way. */
    SECOND("#0f9d8a", "#2fb8a4"),
    /** What it is compared with. */
    OTHER("#8c959f", "#768390"),
    /** What cannot be exceeded. */
    LIMIT("#cf222e", "#ff7b72"),
    /** What is to be reached. */
    GOAL("#9a6700", "#e3b341");

    private final String light;
    private final String dark;

    Paint(String light, String dark) {
        this.light = light;
        this.dark = dark;
    }

    String light() {
        return light;
    }

    String dark() {
        return dark;
    }

    /** The class of the elements that have it. */
    String cssClass() {
        return name().toLowerCase(Locale.ROOT);
    }
}
