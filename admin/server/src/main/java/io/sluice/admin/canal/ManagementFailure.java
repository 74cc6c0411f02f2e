package io.sluice.admin.canal;

import java.io.IOException;

/** A request to a management port that was not carried out. The message says why, and what to do. */
public final class ManagementFailure extends IOException {
    private static final long serialVersionUID = 1L;

    /** What kinds there are. */
    public enum Kind {
        /** No connection, no answer in time, or no answer of a management port. */
        UNREACHABLE,
        /** The login failed. */
        UNAUTHORIZED,
        /** The server answers with an error. */
        REFUSED
    }

    private final Kind kind;

    ManagementFailure(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** Which kind it is. */
    public Kind kind() {
        return kind;
    }
}
