package io.sluice.protocol.position;

/** A text is not the JSON of a position; the message says what is wrong, and at which key. */
public final class PositionFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    PositionFormatException(String message) {
        super(message);
    }

    PositionFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
