package io.sluice.stream.source;

import io.sluice.format.protobuf.EncodingPool;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.store.ring.EntryStore;
import io.sluice.stream.source.schema.HistoryOpener;
import io.sluice.stream.source.schema.StreamSchemas;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.stream.source.server.SourceServers;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Creates and connects the parts of a source; none of them has a thread.
 *
 * @param stages from events to the store
 * @param session decides what is done
 */
record SourceWiring(StreamStages stages, SourceSession session) {
    /**
     * The dependencies of a source besides its options.
     *
     * @param servers connects to the hosts
     * @param histories opens the schema history
     * @param time all durations are measured by it
     * @param random chooses waits
     */
    record Environment(SourceServers servers, HistoryOpener histories, Time time, RandomGenerator random) {}

    /** Makes the parts; the parameters are those of {@link BinlogSource}. */
    static SourceWiring of(
            String name,
            SourceOptions source,
            SourceStream stream,
            EntryStore store,
            @Nullable Cursor cursor,
            @Nullable EncodingPool encoders,
            SourceListener listener,
            Environment environment) {
        SourceQueries queries = environment.servers().queries(source.hosts().get(0));
        StreamSchemas schemas = new StreamSchemas(
                name, queries, stream.filter(), stream.schema(), environment.histories(), environment.time());
        StreamStages stages = new StreamStages(source, stream, store, encoders, queries, schemas, environment.time());
        SourceSession session = new SourceSession(
                name,
                source,
                environment.servers(),
                queries,
                stages,
                new Locator(name, source, cursor, listener, schemas, stages),
                cursor,
                listener,
                environment.time(),
                environment.random());
        return new SourceWiring(stages, session);
    }
}
