/** Pictures of figures, as SVG. Does not know what the figures are of. */
@NullMarked
package io.sluice.bench.chart;

import org.jspecify.annotations.NullMarked;
