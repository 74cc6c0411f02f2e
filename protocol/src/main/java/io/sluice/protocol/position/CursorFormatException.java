package io.sluice.protocol.position;

/** A text is not the JSON of a cursor; the message says what is wrong, and at which key. */
public final class CursorFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    CursorFormatException(String message) {
        super(message);
    }

    CursorFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
