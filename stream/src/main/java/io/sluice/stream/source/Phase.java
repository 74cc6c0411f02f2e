package io.sluice.stream.source;

import io.sluice.mysql.wire.ServerAddress;
import io.sluice.stream.source.server.SourceHost;
import java.io.IOException;

/**
 * A phase of a {@link SourceSession}, with the resources that it owns.
 *
 * <p>The thread that reads calls {@link #step}, again and again until a step leads to another phase, and {@link #release} after a step that has failed, and
 * at the end. Any thread may call {@link #abort} and {@link #state}.
 */
abstract class Phase {
    private final SourceHost host;

    Phase(SourceHost host) {
        this.host = host;
    }

    /** The host that is read, or was. */
    final SourceHost host() {
        return host;
    }

    final ServerAddress address() {
        return host.login().address();
    }

    /** Performs one step. What it throws is a failure of the host or of a later stage, and ends the phase. */
    abstract Transition step() throws IOException, InterruptedException;

    /** The state as others see it. */
    abstract SourceState state();

    /** Ends whatever is waited for, from any thread. */
    void abort() {}

    /** Frees what it holds. */
    void release() {}
}
