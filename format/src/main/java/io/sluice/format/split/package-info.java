/**
 * Splits the entries of rows events by the keys of their rows, for topics with several partitions. It does not know where rows go.
 */
@NullMarked
package io.sluice.format.split;

import org.jspecify.annotations.NullMarked;
