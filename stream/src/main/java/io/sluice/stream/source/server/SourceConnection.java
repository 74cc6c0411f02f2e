package io.sluice.stream.source.server;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.wire.dump.DumpRequest;
import java.io.IOException;

/** A connection to a host of a source, over which its binlog is read. For one thread, but for {@link #abort}. */
public interface SourceConnection extends AutoCloseable {
    /** Facts about the server; not after {@link #dump}. */
    ServerFacts facts();

    /** Reads files of the same server, over connections of their own. */
    BinlogScan scan();

    /**
     * Starts a binlog dump; the connection cannot be used for anything else after that.
     *
     * @throws IOException if the server rejects the request, or the connection broke
     */
    EventSource dump(DumpRequest request) throws IOException;

    /** The number of the connection on the server. */
    long connectionId();

    /** Ends whatever it waits for, from any thread. */
    void abort();

    @Override
    void close();
}
