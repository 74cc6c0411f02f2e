package io.sluice.connector.api.producer;

/**
 * The broker does not admit the producer: a login, or what TLS verifies, has failed. Reported as {@link FailureKind#BROKEN}; but if the broker has
 * confirmed messages before, some further connections are tried, which also read certificates again. Immutable.
 */
public final class NotAdmittedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception with the message for the operator.
     *
     * @param message which settings are to be checked
     * @param cause what the broker's client has reported
     */
    public NotAdmittedException(String message, Throwable cause) {
        super(message, cause);
    }
}
