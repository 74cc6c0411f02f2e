/**
 * Checks that what was delivered equals what the tables hold: replays the records into a model and compares the two, row
 * by row and type by type.
 *
 * <p>Knows the formats of the records and the values' texts, but neither their writer nor how they travelled.
 */
@NullMarked
package io.sluice.testkit.check;

import org.jspecify.annotations.NullMarked;
