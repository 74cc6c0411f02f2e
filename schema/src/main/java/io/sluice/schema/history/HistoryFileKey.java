package io.sluice.schema.history;

/** The rows of one binlog file whose events have the same {@code server_id}. */
record HistoryFileKey(String masterId, String file) {}
