package io.sluice.stream.source;

import io.sluice.format.protobuf.EncodingPool;
import io.sluice.format.value.ColumnTypes;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.EntrySink;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.pipeline.StreamPipeline;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.reader.ReaderOptions;
import io.sluice.stream.source.schema.SchemaOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stream that is made of a source: which tables pass, and how their events become entries.
 *
 * @param options how events become entries
 * @param filter which tables pass
 * @param types how column values are read
 * @param schema where table schemas come from
 * @param mappingBytes the memory limit of the cached table mappings
 */
public record SourceStream(
        StreamOptions options, TableFilter filter, ColumnTypes types, SchemaOptions schema, long mappingBytes) {
    private static final int CHUNKS_IN_FLIGHT = 8;

    /** A stream with the default memory limit. */
    public SourceStream(StreamOptions options, TableFilter filter, ColumnTypes types, SchemaOptions schema) {
        this(options, filter, types, schema, EventReader.DEFAULT_MAPPING_BYTES);
    }

    /** Returns a copy with the given options of the stream. */
    SourceStream with(StreamOptions other) {
        return new SourceStream(other, filter, types, schema, mappingBytes);
    }

    /** Returns a copy with the cursors of all clients, of which the stream begins at the smallest. */
    public SourceStream with(List<Subscription> clients) {
        return new SourceStream(options, filter, types, schema.with(clients), mappingBytes);
    }

    /** The stages of a stream, from events to the store. */
    public record Stages(EventReader reader, StreamPipeline pipeline) {}

    /**
     * Makes the stages.
     *
     * @param server the source, as cursors state it
     * @param start the position of the first event
     * @param tracker has the table schemas at {@code start}
     * @param hidden columns of row images that no table schema has
     * @param store takes the entries
     * @param encoders the pool that encodes protobuf ahead of the store; null if entries keep their row images
     * @param onFailure called when an encoder fails; it wakes the thread that waits for the source
     */
    public Stages stages(
            SourceServer server,
            BinlogPosition start,
            SchemaTracker tracker,
            HiddenColumns hidden,
            EntrySink store,
            @Nullable EncodingPool encoders,
            Runnable onFailure,
            Time time) {
        EventReader reader = new EventReader(
                server, start, null, options, tracker, filter, types, new ReaderOptions(hidden, mappingBytes, time));
        boolean thinsBoundaries = options.omitted().contains(Omitted.TRANSACTION_BOUNDARIES);
        StreamPipeline pipeline =
                new StreamPipeline(reader, store, encoders, CHUNKS_IN_FLIGHT, thinsBoundaries, onFailure, time);
        return new Stages(reader, pipeline);
    }
}
