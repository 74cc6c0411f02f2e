package io.sluice.admin.fleet.control;

import io.sluice.admin.problem.FailureKind;
import java.io.IOException;

/**
 * A call of a control API failed. The message states the reason and the remedy, and never has what another program than a Sluice server sent.
 */
public final class ControlFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final FailureKind kind;
    private final int status;

    ControlFailure(FailureKind kind, int status, String message) {
        super(message);
        this.kind = kind;
        this.status = status;
    }

    ControlFailure(FailureKind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.status = 0;
    }

    public FailureKind kind() {
        return kind;
    }

    /** The HTTP status of the answer; 0 if there was none. */
    public int status() {
        return status;
    }
}
