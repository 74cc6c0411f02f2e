package io.sluice.server.cursor;

/** A cursor was not changed, or cannot be shown; the message says why, and what to do. */
public final class CursorRejectedException extends Exception {
    private static final long serialVersionUID = 1L;

    CursorRejectedException(String message) {
        super(message);
    }

    CursorRejectedException(Throwable cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}
