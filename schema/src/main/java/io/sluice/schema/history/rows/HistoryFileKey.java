package io.sluice.schema.history.rows;

/** The rows of one binlog file whose events have the same {@code server_id}. */
public record HistoryFileKey(String masterId, String file) {}
