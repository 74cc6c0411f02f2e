/**
 * Starts a real Prometheus on a free port, queries what it has read from its targets, and runs its {@code promtool}.
 *
 * <p>Does not know what the metrics mean.
 */
@NullMarked
package io.sluice.testkit.prometheus;

import org.jspecify.annotations.NullMarked;
