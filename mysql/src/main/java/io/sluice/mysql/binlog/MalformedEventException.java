package io.sluice.mysql.binlog;

/**
 * Bytes of the binlog that cannot be read: too short, too long, or saying something impossible.
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
