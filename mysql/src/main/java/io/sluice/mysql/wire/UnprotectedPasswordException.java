package io.sluice.mysql.wire;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;

/** Thrown if the server requests the password in a form that is readable in transit; nothing of it was sent. */
public final class UnprotectedPasswordException extends SourceException {
    private static final long serialVersionUID = 1L;

    UnprotectedPasswordException(String message) {
        super(SourceFailure.AUTHENTICATION, message);
    }
}
