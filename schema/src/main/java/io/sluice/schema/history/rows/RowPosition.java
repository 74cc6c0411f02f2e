package io.sluice.schema.history.rows;

/** The id and the binlog position of a row of the history. */
public record RowPosition(long id, HistoryPosition position) {}
