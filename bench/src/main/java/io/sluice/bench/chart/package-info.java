/**
 * Charts of bars and of lines, as SVG that a browser shows by itself, on light and dark pages.
 *
 * <p>Does not know what the figures are of.
 */
@NullMarked
package io.sluice.bench.chart;

import org.jspecify.annotations.NullMarked;
