package io.sluice.protocol.position;

/** A text is not the JSON of a cursor; the message names the key and what is wrong with it. */
public final class CursorFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    CursorFormatException(String message) {
        super(message);
    }

    CursorFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
