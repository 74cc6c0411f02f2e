package io.sluice.mysql.binlog;

/**
 * Thrown if an event cannot be decoded: it is too short, too long, or has impossible values.
 *
 * <p>This is the one exception that decoders of events and of column values throw, whatever bytes they are given.
 */
public final class MalformedEventException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MalformedEventException(String message) {
        super(message);
    }

    public MalformedEventException(String message, Throwable cause) {
        super(message, cause);
    }
}
