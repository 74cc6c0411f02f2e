package io.sluice.parse.pipeline;

/**
 * The stream cannot go on: an event that is not understood, or that fits no known table.
 *
 * <p>Its message says what, where in the binlog, and what to do. Connecting again does not help.
 */
public final class StreamException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StreamException(String message) {
        super(message);
    }

    public StreamException(String message, Throwable cause) {
        super(message, cause);
    }
}
