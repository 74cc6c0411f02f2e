package io.sluice.stream.reader;

import io.sluice.protocol.time.Time;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.mapping.TableMappings;

/**
 * What an {@link EventReader} needs to know of its source and of its process.
 *
 * @param hidden the columns that row images have, and definitions of tables do not show
 * @param mappingBytes the memory limit of the cached table mappings, roughly, in bytes
 * @param time measures for how long an XA transaction is undecided
 */
public record ReaderOptions(HiddenColumns hidden, long mappingBytes, Time time) {
    /** A source without hidden columns. */
    public static final ReaderOptions DEFAULT =
            new ReaderOptions(HiddenColumns.NONE, TableMappings.DEFAULT_BYTES, Time.SYSTEM);
}
