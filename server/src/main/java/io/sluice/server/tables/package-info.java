/**
 * Counts what is delivered of each table. It knows entries only, neither instances nor how its counts are published.
 */
@NullMarked
package io.sluice.server.tables;

import org.jspecify.annotations.NullMarked;
