package io.sluice.schema.history;

/**
 * A snapshot of all table schemas in the history, without its contents, which are read when needed.
 *
 * @param id its id
 * @param position the event before which the table schemas were as in the snapshot
 */
record HistorySnapshot(long id, HistoryPosition position) {}
