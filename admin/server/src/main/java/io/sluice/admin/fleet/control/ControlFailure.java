package io.sluice.admin.fleet.control;

import java.io.IOException;

/**
 * A call that was not carried out. The message says why, and what to do; it never holds what a server sent that is no Sluice server.
 */
public final class ControlFailure extends IOException {
    private static final long serialVersionUID = 1L;

    /** What kinds there are. */
    public enum Kind {
        /** No connection, no answer in time, or no answer as a Sluice server gives it. */
        UNREACHABLE,
        /** The token is missing, wrong, or its role is too small. */
        UNAUTHORIZED,
        /** The server was reached, and refused the call. */
        REFUSED
    }

    private final Kind kind;
    private final int status;

    ControlFailure(Kind kind, int status, String message) {
        super(message);
        this.kind = kind;
        this.status = status;
    }

    ControlFailure(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.status = 0;
    }

    /** Which kind it is. */
    public Kind kind() {
        return kind;
    }

    /** The HTTP status of the answer; 0 if there was none. */
    public int status() {
        return status;
    }
}
