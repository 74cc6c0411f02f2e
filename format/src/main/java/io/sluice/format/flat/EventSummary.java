package io.sluice.format.flat;

import org.jspecify.annotations.Nullable;

/**
 * The fields of a flat message that describe all rows of its event, also where it holds only some of them. Rows whose updates are split
 * do not count: they are in messages of other types.
 *
 * @param present per column: whether it is in a row
 * @param sqlTypes per column: the number of its type in the last row
 * @param changedSince per column: the first row that changed it, {@link Integer#MAX_VALUE} if none does; null if {@code
 *     old} does not list what earlier rows changed
 */
@SuppressWarnings("ArrayRecordComponent") // shared by all parts of an event, and changed by none
record EventSummary(boolean[] present, int[] sqlTypes, int @Nullable [] changedSince) {}
