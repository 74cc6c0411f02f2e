package io.sluice.mysql.failure;

import java.io.IOException;

/** Thrown if a source cannot be read, with the kind of failure; the message states what failed and where. */
public class SourceException extends IOException {
    private static final long serialVersionUID = 1L;

    private final SourceFailure failure;
    private final String remedy;

    public SourceException(SourceFailure failure, String message) {
        this(failure, message, failure.remedy());
    }

    public SourceException(SourceFailure failure, String message, Throwable cause) {
        this(failure, message, failure.remedy(), cause);
    }

    /** Of a reason for which another remedy is known than for all failures of its kind. */
    public SourceException(SourceFailure failure, String message, String remedy) {
        super(message);
        this.failure = failure;
        this.remedy = remedy;
    }

    /** Of a reason for which another remedy is known than for all failures of its kind. */
    public SourceException(SourceFailure failure, String message, String remedy, Throwable cause) {
        super(message, cause);
        this.failure = failure;
        this.remedy = remedy;
    }

    public SourceFailure failure() {
        return failure;
    }

    /** What an operator can do. */
    public String remedy() {
        return remedy;
    }
}
