package io.sluice.stream.source;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceQueries;
import java.io.IOException;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the {@link Locator} find where a host is read from, and begins the dump there. */
final class Locating extends Phase {
    private static final Logger LOG = LoggerFactory.getLogger(Locating.class);

    private final String name;
    private final SourceConnection connection;
    private final SourceQueries queries;
    private final StreamStages stages;
    private final Locator locator;
    private final DumpRequests requests;
    private final AbandonedDump abandoned;
    private final Runnable onFailure;

    /** @param onFailure wakes the thread that waits for the source when a later stage has failed */
    Locating(
            String name,
            Transition.Locate begun,
            SourceQueries queries,
            StreamStages stages,
            Locator locator,
            DumpRequests requests,
            AbandonedDump abandoned,
            Runnable onFailure) {
        super(begun.host());
        this.name = name;
        this.connection = begun.connection();
        this.queries = queries;
        this.stages = stages;
        this.locator = locator;
        this.requests = requests;
        this.abandoned = abandoned;
        this.onFailure = onFailure;
    }

    @Override
    Transition step() throws IOException, InterruptedException {
        ServerFacts facts = connection.facts();
        queries.moveTo(host());
        DumpStart start = locator.locate(host(), connection, onFailure);
        boolean checksummed = facts.writesChecksums();
        DumpRequest request = requests.of(start, facts);
        EventSource events = connection.dump(request);
        abandoned.begun(host(), connection.connectionId());
        EventReader reader = Objects.requireNonNull(stages.reader(), "a start position without a reader");
        reader.onReconnect(checksummed, start.byGtids());
        LOG.info("reading the binlog: instance={} source={} from={}", name, address(), start);
        if (request.isBeyondCommand()) {
            LOG.info(
                    "the position is beyond 4 GiB of its file, which no request can state, so the source sends the file from its beginning, and"
                            + " what is before the position is passed over: instance={} position={}",
                    name,
                    start);
        }
        return new Transition.Stream(host(), connection, events, reader, start);
    }

    @Override
    SourceState state() {
        return new SourceState.Locating(address());
    }

    @Override
    void abort() {
        connection.abort();
        queries.abort();
    }

    @Override
    void release() {
        connection.close();
    }
}
