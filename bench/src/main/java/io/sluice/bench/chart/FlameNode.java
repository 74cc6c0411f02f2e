package io.sluice.bench.chart;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** A part of a whole that has parts itself, such as a method and what it calls. For one thread. */
public final class FlameNode {
    private final String name;
    private final String longName;
    private final Paint paint;
    private final Map<String, FlameNode> parts = new LinkedHashMap<>();
    private double value;

    /**
     * Makes one that has no parts and no value yet.
     *
     * @param name as short as can be
     * @param longName shown by itself, and by which parts of one whole are told apart
     */
    public FlameNode(String name, String longName, Paint paint) {
        this.name = name;
        this.longName = longName;
        this.paint = paint;
    }

    /** The part of the same long name, which is added if there is none. */
    public FlameNode part(FlameNode like) {
        FlameNode known = parts.putIfAbsent(like.longName, like);
        return known == null ? like : known;
    }

    /** Adds to the value, which is that of all parts and of what is in none. */
    public void add(double more) {
        value += more;
    }

    String name() {
        return name;
    }

    String longName() {
        return longName;
    }

    Paint paint() {
        return paint;
    }

    double value() {
        return value;
    }

    Collection<FlameNode> parts() {
        return parts.values();
    }
}
