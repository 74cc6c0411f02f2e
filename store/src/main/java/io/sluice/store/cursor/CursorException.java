package io.sluice.store.cursor;

/** A cursor cannot be read or written; the message says where it is, what is wrong, and what to do. */
public final class CursorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CursorException(String message) {
        super(message);
    }

    public CursorException(String message, Throwable cause) {
        super(message, cause);
    }
}
