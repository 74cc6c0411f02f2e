package io.sluice.admin.fleet.watch;

/** The watch of a server without a usable token or URL: reports that, and connects to nothing. */
public final class TokenMissingWatch implements ServerWatch {
    private final ServerStatus status;

    public TokenMissingWatch(String why) {
        this.status = ServerStatus.connecting("unknown").failed(ServerState.UNAUTHORIZED, why);
    }

    @Override
    public ServerStatus status() {
        return status;
    }

    @Override
    public void tick() {
        // nothing changes until it is configured
    }

    @Override
    public void hurry() {
        // nothing changes until it is configured
    }

    @Override
    public void close() {
        // nothing is open
    }
}
