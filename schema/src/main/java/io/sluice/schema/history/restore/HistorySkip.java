package io.sluice.schema.history.restore;

import io.sluice.protocol.position.BinlogPosition;
import org.jspecify.annotations.Nullable;

/**
 * A part of a source's binlog of which a schema history may lack DDL, since reading began after it.
 *
 * @param after the newest position before it up to which DDL is known; null if that is not known
 * @param until where reading began
 */
public record HistorySkip(@Nullable HistoryEnd after, BinlogPosition until) {}
