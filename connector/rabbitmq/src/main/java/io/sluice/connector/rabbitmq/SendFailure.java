package io.sluice.connector.rabbitmq;

import io.sluice.connector.api.producer.FailureKind;

/** Why a message cannot be sent, and what that says of the next attempt. */
final class SendFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final FailureKind kind;

    SendFailure(FailureKind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    SendFailure(FailureKind kind, String message) {
        super(message);
        this.kind = kind;
    }

    FailureKind kind() {
        return kind;
    }
}
