package io.sluice.format.row;

/**
 * Some rows of an event.
 *
 * @param of the event's rows
 * @param rows which of them, ascending
 * @param part which part of their change
 */
@SuppressWarnings("ArrayRecordComponent") // made for one entry, and never compared
public record RowChoice(EventRows of, int[] rows, RowPart part) {}
