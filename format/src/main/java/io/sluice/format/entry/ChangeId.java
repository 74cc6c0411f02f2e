package io.sluice.format.entry;

import io.sluice.format.row.RowPart;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a change, however often it is delivered, and orders changes: which came first.
 *
 * @param gtid of its transaction, as the source spells it; null if it has none, or it is not known
 * @param serverId the {@code server_id} that wrote it
 * @param file the binlog file where its event is
 * @param offset where the event starts there, in bytes
 * @param sequence how many events of its transaction are before it that may become entries, from 0
 * @param row which row of the event its first row is, from 0; 0 if it has no rows
 * @param rows how many rows it holds; they need not be adjacent
 * @param part what it is of these rows
 */
public record ChangeId(
        @Nullable String gtid,
        long serverId,
        String file,
        long offset,
        int sequence,
        int row,
        int rows,
        RowPart part) {}
