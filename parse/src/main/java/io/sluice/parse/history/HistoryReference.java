package io.sluice.parse.history;

/**
 * A row of a certain history, as a cursor refers to it: a history that {@linkplain SchemaHistory#holds holds} it holds all rows and
 * snapshots on which the table schemas at the cursor depend.
 *
 * @param historyId the UUID of the history of one destination; another one after the history was removed and begun again
 * @param rowId the id of the row or snapshot, ascending in the order in which they were written; 0 before the first
 */
public record HistoryReference(String historyId, long rowId) {}
