package io.sluice.connector.api.attempt;

import io.sluice.connector.api.producer.FailureKind;

/** Why a broker's module cannot send a message, and what that means for the next attempt. */
public final class SendException extends Exception {
    private static final long serialVersionUID = 1L;

    private final FailureKind kind;

    public SendException(FailureKind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public SendException(FailureKind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public FailureKind kind() {
        return kind;
    }
}
