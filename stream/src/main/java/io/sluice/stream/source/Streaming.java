package io.sluice.stream.source;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.time.Time;
import io.sluice.stream.pipeline.StreamPipeline;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceQueries;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;

/** Reads the events of a dump into the pipeline, chunk by chunk, until it fails or a reconnect is requested. */
final class Streaming extends Phase {
    /** The interval of the checks that the schema history still exists. */
    private static final Duration HISTORY_CHECK_INTERVAL = Duration.ofSeconds(1);

    private final SourceConnection connection;
    private final EventSource events;
    private final EventReader reader;
    private final StreamPipeline pipeline;
    private final DumpStart start;
    private final SourceQueries queries;
    private final StreamStages stages;
    private final FailureReactions reactions;
    private final ReconnectRequests reconnects;
    private final SearchedBytes searched;
    private final Time time;
    private final long begun;
    private long schemasKeptNanos;
    private boolean isWell;

    Streaming(
            Transition.Stream dump,
            SourceQueries queries,
            StreamStages stages,
            FailureReactions reactions,
            ReconnectRequests reconnects,
            SearchedBytes searched,
            Time time) {
        super(dump.host());
        this.connection = dump.connection();
        this.events = dump.events();
        this.reader = dump.reader();
        this.start = dump.start();
        this.queries = queries;
        this.stages = stages;
        this.reactions = reactions;
        this.reconnects = reconnects;
        this.searched = searched;
        this.time = time;
        this.begun = time.nanos();
        this.schemasKeptNanos = begun;
        this.pipeline = Objects.requireNonNull(stages.pipeline(), "a reader without its pipeline");
    }

    @Override
    Transition step() throws IOException, InterruptedException {
        if (!pipeline.readChunk(events)) {
            throw new EOFException(address() + " ended the dump");
        }
        keepSchemas();
        if (!isWell && reader.counters().hasAdvanced()) {
            isWell = true;
            reactions.onProgress(begun);
            searched.onEvents();
        }
        if (reconnects.isAny() && reconnects.take(address(), reader.counters().readTo(), start.byGtids())) {
            release();
            queries.close();
            return new Transition.Connect(host());
        }
        return Transition.STAY;
    }

    private void keepSchemas() {
        long now = time.nanos();
        if (now - schemasKeptNanos >= HISTORY_CHECK_INTERVAL.toNanos()) {
            schemasKeptNanos = now;
            stages.keepSchemas();
        }
    }

    @Override
    SourceState state() {
        return new SourceState.Streaming(
                address(), start.position() == null ? reader.resumePosition() : start.position());
    }

    @Override
    void abort() {
        connection.abort();
    }

    @Override
    void release() {
        connection.close();
    }
}
