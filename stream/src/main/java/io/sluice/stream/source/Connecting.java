package io.sluice.stream.source;

import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceServers;
import java.io.IOException;

/** Connects to a host, and logs in. */
final class Connecting extends Phase {
    private final SourceServers servers;
    private final SearchedBytes searched;

    Connecting(SourceHost host, SourceServers servers, SearchedBytes searched) {
        super(host);
        this.servers = servers;
        this.searched = searched;
    }

    @Override
    Transition step() throws IOException {
        SourceConnection connection = servers.connect(host());
        searched.beginAttempt();
        return new Transition.Locate(host(), new CountedConnection(connection, searched::add));
    }

    @Override
    SourceState state() {
        return new SourceState.Connecting(address());
    }
}
