package io.sluice.stream.source.server;

import java.io.IOException;

/** Connects to the hosts of a source. Thread-safe. */
public interface SourceServers {
    /** Connects to a host and logs in. */
    SourceConnection connect(SourceHost host) throws IOException;

    /** Returns the SQL queries to a host; connects only when needed. */
    SourceQueries queries(SourceHost host);

    /** Kills an abandoned dump, if the server answers within seconds; otherwise it lives until its next write. */
    void killDump(SourceHost host, long connectionId);
}
