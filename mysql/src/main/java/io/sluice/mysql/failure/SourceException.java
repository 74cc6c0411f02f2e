package io.sluice.mysql.failure;

import java.io.IOException;

/** Thrown if a source cannot be read, with the kind of failure; the message states what failed and where. */
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
