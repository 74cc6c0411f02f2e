package io.sluice.stream.failure;

import io.sluice.mysql.failure.SourceFailure;

/**
 * Thrown if the stream cannot continue: an event cannot be decoded or handled, or rows match no known table. Its message says what
 * failed and where in the binlog.
 */
public class StreamException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final SourceFailure failure;

    public StreamException(SourceFailure failure, String message) {
        super(message);
        this.failure = failure;
    }

    public StreamException(SourceFailure failure, String message, Throwable cause) {
        super(message, cause);
        this.failure = failure;
    }

    public SourceFailure failure() {
        return failure;
    }
}
