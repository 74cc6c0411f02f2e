package io.sluice.schema.history;

/** The id and the binlog position of a row of the history. */
record RowPosition(long id, HistoryPosition position) {}
