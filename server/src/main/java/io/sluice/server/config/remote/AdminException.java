package io.sluice.server.config.remote;

/** An admin server gave no configuration; the message says why, and what to do, and holds no secret. */
public final class AdminException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean isRefusal;

    AdminException(String message) {
        this(message, false);
    }

    AdminException(String message, boolean isRefusal) {
        super(message);
        this.isRefusal = isRefusal;
    }

    /** Whether it does not know this server, so that neither asking again nor an older configuration is an answer. */
    public boolean isRefusal() {
        return isRefusal;
    }
}
