/**
 * The port where metrics and health are read, over HTTP, and what is written there. It only reads: nothing can be changed through
 * it. The format is <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">that of Prometheus</a>; the names are
 * listed in {@code docs/metrics.md}.
 */
@NullMarked
package io.sluice.server.metrics;

import org.jspecify.annotations.NullMarked;
