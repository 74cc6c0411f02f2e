package io.sluice.schema.history.restore;

import java.util.OptionalLong;

/**
 * The newest binlog position up to which a history knows the DDL of a source.
 *
 * @param source the {@code server_uuid}, or what the source is identified by instead
 * @param file the name of the binlog file
 * @param offset where the newest event of which there is a row begins, in bytes; if one event has several rows, some bytes after that
 * @param end where that event ends; empty if canal wrote the row, which does not store it. For a snapshot both
 *     are the position up to which it holds
 */
public record HistoryEnd(String source, String file, long offset, OptionalLong end) {}
