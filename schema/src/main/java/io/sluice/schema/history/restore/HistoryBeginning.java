package io.sluice.schema.history.restore;

import io.sluice.protocol.position.BinlogPosition;
import org.jspecify.annotations.Nullable;

/**
 * Where a schema history begins: of the DDL before it nothing is known.
 *
 * @param position in the binlog of a stream's start; null if the history begins in another binlog
 * @param timeMillis when the event before it was written, or earlier, in milliseconds since the epoch
 */
public record HistoryBeginning(@Nullable BinlogPosition position, long timeMillis) {}
