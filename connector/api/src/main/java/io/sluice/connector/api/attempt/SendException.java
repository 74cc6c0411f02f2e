package io.sluice.connector.api.attempt;

import io.sluice.connector.api.producer.FailureKind;

/** Why a broker's module cannot send a message, and what that means for the next attempt. */
public final class SendException extends Exception {
    private static final long serialVersionUID = 1L;

    private final FailureKind kind;

    /**
     * A failure with a cause in the broker's client.
     *
     * @param message what is shown to the operator, with the key to change if there is one; never a secret
     */
    public SendException(FailureKind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** A failure that is found without the broker's client. */
    public SendException(FailureKind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** What it means for the next attempt. */
    public FailureKind kind() {
        return kind;
    }
}
