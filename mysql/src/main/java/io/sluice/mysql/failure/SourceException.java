package io.sluice.mysql.failure;

import java.io.IOException;

/** A source cannot be read, for a reason that is known; the message says what failed and where. */
public class SourceException extends IOException {
    private static final long serialVersionUID = 1L;

    private final SourceFailure failure;

    public SourceException(SourceFailure failure, String message) {
        super(message);
        this.failure = failure;
    }

    public SourceException(SourceFailure failure, String message, Throwable cause) {
        super(message, cause);
        this.failure = failure;
    }

    public SourceFailure failure() {
        return failure;
    }
}
