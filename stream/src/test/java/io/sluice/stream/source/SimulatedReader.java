package io.sluice.stream.source;

import io.sluice.format.protobuf.EncodingPool;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.store.ring.EntryStore;
import io.sluice.stream.pipeline.StreamPipeline;
import io.sluice.stream.source.server.SourceServers;
import java.io.IOException;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A real source whose steps a simulation makes, in place of the thread of {@link BinlogSource}. */
public final class SimulatedReader {
    private final StreamStages stages;
    private final SourceSession session;

    /** Opens schema histories. */
    public interface Histories {
        SchemaHistory open(HistoryConfig config, Time time) throws IOException;
    }

    /** Makes a reader; the parameters are those of {@link BinlogSource}, and what it takes from its process. */
    public SimulatedReader(
            String name,
            SourceOptions source,
            SourceStream stream,
            EntryStore store,
            @Nullable Cursor cursor,
            @Nullable EncodingPool encoders,
            SourceListener listener,
            SourceServers servers,
            Histories histories,
            Time time,
            RandomGenerator random) {
        SourceWiring wiring = SourceWiring.of(
                name,
                source,
                stream,
                store,
                cursor,
                encoders,
                listener,
                new SourceWiring.Environment(servers, histories::open, time, random));
        this.stages = wiring.stages();
        this.session = wiring.session();
    }

    /** Makes a step; returns for how long there is nothing to do. */
    public Duration step() throws InterruptedException {
        return session.step();
    }

    /** Whether the next step would not wait for the store: one that finds a start position may wait until all is there that was read. */
    public boolean hasRoom() {
        StreamPipeline pipeline = stages.pipeline();
        return session.hasRoom()
                && (session.state() instanceof SourceState.Streaming || pipeline == null || pipeline.chunks() == 0);
    }

    public boolean hasEnded() {
        return session.hasEnded();
    }

    /** How often it continued at the newest position because the binlog was purged. */
    public long resets() {
        return session.resets();
    }

    public SourceState state() {
        return session.state();
    }

    /** Is told that the address of the host leads to another server, while nothing comes from the one that is read. */
    public void followAddress() {
        session.onMoved(stages.reader().counters().readTo());
    }

    /** Is told that the binlog of the source ends before what was read. */
    public void noticeReset(boolean isCertain) {
        BinlogPosition read = stages.reader().counters().readTo();
        session.onReset(read, new BinlogPosition(read.file(), 4), isCertain);
    }

    /** Ends in good order. */
    public void close() {
        session.abort();
        session.close();
    }
}
