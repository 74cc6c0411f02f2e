package io.sluice.admin.fleet.watch;

import io.sluice.admin.problem.FailureKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the newest status of a watched server, and logs when the server fails. Written under the lock of its watch, and read by any thread. */
final class StatusKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(StatusKeeper.class);

    private final String server;
    private volatile ServerStatus status;

    /**
     * Keeps the status of a server that has not reported yet.
     *
     * @param server its name, for the log
     * @param kind {@code sluice}, {@code canal} or {@code unknown}
     */
    StatusKeeper(String server, String kind) {
        this.server = server;
        this.status = ServerStatus.connecting(kind);
    }

    ServerStatus status() {
        return status;
    }

    void set(ServerStatus newest) {
        status = newest;
    }

    /**
     * Sets the status of a server that failed to report.
     *
     * @param reason what failed, and what to do
     */
    void fail(FailureKind kind, String reason) {
        ServerState state = kind == FailureKind.UNAUTHORIZED ? ServerState.UNAUTHORIZED : ServerState.UNREACHABLE;
        if (status.state() != state) {
            LOG.warn(
                    "a server does not answer as it should: server={} state={} reason={}",
                    server,
                    state.text(),
                    reason);
        }
        status = status.failed(state, reason);
    }
}
