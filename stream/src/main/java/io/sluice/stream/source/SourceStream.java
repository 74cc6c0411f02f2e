package io.sluice.stream.source;

import io.sluice.format.value.ColumnTypes;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.pipeline.EventReader;
import io.sluice.stream.pipeline.StreamOptions;

/**
 * The stream that is made of a source: which tables pass, and how their events become entries.
 *
 * @param options how events become entries
 * @param filter which tables pass
 * @param types how column values are read
 * @param thinsBoundaries whether begins and ends of transactions are left out, but for one every five seconds
 * @param schema where table schemas come from
 * @param mappingBytes the memory limit of the cached table mappings
 */
public record SourceStream(
        StreamOptions options,
        TableFilter filter,
        ColumnTypes types,
        boolean thinsBoundaries,
        SchemaOptions schema,
        long mappingBytes) {
    /** A stream that may take some memory. */
    public SourceStream(
            StreamOptions options,
            TableFilter filter,
            ColumnTypes types,
            boolean thinsBoundaries,
            SchemaOptions schema) {
        this(options, filter, types, thinsBoundaries, schema, EventReader.DEFAULT_MAPPING_BYTES);
    }

    /** A stream without a schema history. */
    public SourceStream(StreamOptions options, TableFilter filter, ColumnTypes types, boolean thinsBoundaries) {
        this(options, filter, types, thinsBoundaries, SchemaOptions.WITHOUT_HISTORY);
    }
}
