package io.sluice.stream.source;

import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceServers;
import org.jspecify.annotations.Nullable;

/** The last dump that was begun, as long as it may still run on its server, which can notice late that its connection is lost. For one thread. */
final class AbandonedDump {
    private final SourceServers servers;
    private @Nullable Dump dump;

    private record Dump(SourceHost host, long connectionId) {}

    AbandonedDump(SourceServers servers) {
        this.servers = servers;
    }

    /** Notes that a dump was begun. */
    void begun(SourceHost host, long connectionId) {
        dump = new Dump(host, connectionId);
    }

    /** Notes that the server has ended it. */
    void ended() {
        dump = null;
    }

    /** Ends it on the server, if it may still run. */
    void kill() {
        Dump running = dump;
        dump = null;
        if (running != null) {
            servers.killDump(running.host(), running.connectionId());
        }
    }
}
