/**
 * How the instances fare, and where work waits that should not: the watchdog. It does not know who asks, nor how it is told.
 */
@NullMarked
package io.sluice.server.health;

import org.jspecify.annotations.NullMarked;
