package io.sluice.admin.fleet.live;

/** Stands for a server that cannot be asked, since there is no token or URL for it that can be used. */
final class TokenMissingWatch implements ServerWatch {
    private final ServerStatus status;

    TokenMissingWatch(String why) {
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
