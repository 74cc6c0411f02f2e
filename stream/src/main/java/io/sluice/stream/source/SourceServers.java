package io.sluice.stream.source;

import java.io.IOException;

/** The way to the hosts of a source. Safe for use by several threads. */
public interface SourceServers {
    /** Connects to a host and logs in. */
    SourceConnection connect(SourceHost host) throws IOException;

    /** Asks a host in SQL; connects only when it is needed. */
    SourceQueries queries(SourceHost host);

    /** Ends a dump that was abandoned, if the server answers within seconds: else it learns of that only when it sends next. */
    void killDump(SourceHost host, long connectionId);
}
