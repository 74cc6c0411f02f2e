package io.sluice.schema.history;

/**
 * That there is a snapshot of all table schemas; what it holds is read when it is needed.
 *
 * @param id by which it is read
 * @param stamp the event before which the table schemas were so
 */
record HistorySnapshot(long id, Stamp stamp) {}
