/**
 * The health of instances, and the watchdog that finds stalled stages. It does not know how its results are published.
 */
@NullMarked
package io.sluice.server.health;

import org.jspecify.annotations.NullMarked;
