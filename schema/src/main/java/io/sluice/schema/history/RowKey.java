package io.sluice.schema.history;

/** The id of a row, and its position in the binlog. */
record RowKey(long id, Stamp stamp) {}
