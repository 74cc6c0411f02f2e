/**
 * Micro benches: what single steps cost, without a network and without other processes.
 *
 * <p>They say where the time goes and whether a change helps; how fast the whole is, only the end-to-end bench says.
 */
@NullMarked
package io.sluice.bench.micro;

import org.jspecify.annotations.NullMarked;
