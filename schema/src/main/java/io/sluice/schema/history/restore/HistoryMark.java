package io.sluice.schema.history.restore;

import java.util.OptionalLong;

/**
 * The newest place in a binlog of a source that a history has, by which that binlog can be recognized: another one has something else there.
 *
 * @param file the name of the binlog file
 * @param offset where the event begins; if one event has several rows, some bytes after that. For a snapshot the position up to which it holds
 * @param end where that event ends; empty if canal wrote the row, which does not store it
 * @param timeMillis when the event was executed, by the source's clock and in milliseconds since the epoch, which a session may have set; for a snapshot that of the
 *     cursor from which it was written, which may be older or, if it had none, by the clock of this machine; 0 if that is not known
 * @param fileBegunSeconds when the file was begun, by the source's clock and in seconds since the epoch; 0 if that is not known, as in what canal wrote
 * @param isStatement whether it is a statement of its own, and not a snapshot, or an event that needed the definition of a table
 */
public record HistoryMark(
        String file, long offset, OptionalLong end, long timeMillis, long fileBegunSeconds, boolean isStatement) {}
