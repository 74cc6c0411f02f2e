/**
 * Bar charts as SVG that a browser shows by itself, on light and dark pages.
 *
 * <p>Does not know what the bars mean.
 */
@NullMarked
package io.sluice.bench.chart;

import org.jspecify.annotations.NullMarked;
