package io.sluice.server.cursor;

/** A cursor was not changed, or cannot be shown; the message says why, and what to do. */
public final class CursorRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    CursorRefusedException(String message) {
        super(message);
    }

    CursorRefusedException(Throwable cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}
