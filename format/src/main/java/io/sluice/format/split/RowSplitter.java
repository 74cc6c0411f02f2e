package io.sluice.format.split;

import io.sluice.format.entry.Entry;

/** Splits the entries of rows events by row. It keeps buffers from one entry to the next: it belongs to one thread at a time. */
public interface RowSplitter {
    /**
     * The rows of an entry one by one; not for an entry that is itself made of pieces.
     *
     * @throws IllegalStateException if the entry has no rows, or was encoded ahead
     * @throws io.sluice.mysql.binlog.MalformedEventException if the bytes of its event are damaged
     * @throws io.sluice.protocol.bytes.TooManyBytesException if its event, or the text of its key, is too large to be read
     */
    RowPieces split(Entry entry, RowCut cut);
}
