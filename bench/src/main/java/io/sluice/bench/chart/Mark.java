package io.sluice.bench.chart;

/** A line across a bar. */
public record Mark(Paint paint, double value) {}
