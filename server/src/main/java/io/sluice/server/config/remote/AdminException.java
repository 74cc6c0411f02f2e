package io.sluice.server.config.remote;

/** An admin server gave no configuration; the message states why, and what to do, and holds no secret. */
public final class AdminException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What an answer states of this server. */
    enum Kind {
        /** Nothing: asking again may help. */
        NO_ANSWER,
        /** The admin server does not know it. */
        UNKNOWN_SERVER,
        /** The admin server knows it, and has no configuration of it. */
        NO_TEXT
    }

    private final Kind kind;

    AdminException(String message) {
        this(message, Kind.NO_ANSWER);
    }

    AdminException(String message, Kind kind) {
        super(message);
        this.kind = kind;
    }

    /** Whether it has nothing for this server, so that neither asking again nor an older configuration is an answer. */
    public boolean isRefusal() {
        return kind != Kind.NO_ANSWER;
    }

    /** Whether it does not know this server, which may register itself when it starts. */
    public boolean isOfUnknownServer() {
        return kind == Kind.UNKNOWN_SERVER;
    }
}
