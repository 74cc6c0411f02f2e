package io.sluice.parse.history;

/** The id of a row, and its position in the binlog. */
record RowKey(long id, Stamp stamp) {}
