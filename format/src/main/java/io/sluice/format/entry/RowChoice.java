package io.sluice.format.entry;

import io.sluice.format.entry.ChangeId.Part;

/**
 * Some rows of an event.
 *
 * @param of the event's rows
 * @param rows which of them, ascending
 * @param part what is told of them
 */
@SuppressWarnings("ArrayRecordComponent") // made for one entry, and never compared
record RowChoice(SplitRows of, int[] rows, Part part) {}
