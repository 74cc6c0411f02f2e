package io.sluice.mysql.wire.auth;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;

/** Thrown if the server requests the password in a form that is readable in transit; nothing of it was sent. */
public final class UnprotectedPasswordException extends SourceException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message states what the server asked for, and the remedy
     * @param remedy what an operator can do
     */
    public UnprotectedPasswordException(String message, String remedy) {
        super(SourceFailure.AUTHENTICATION, message, remedy);
    }

    /** Makes one whose message ends with the remedy. */
    static UnprotectedPasswordException withRemedy(String message, String remedy) {
        return new UnprotectedPasswordException(message + ": " + remedy, remedy);
    }
}
