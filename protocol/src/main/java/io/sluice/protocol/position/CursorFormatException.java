package io.sluice.protocol.position;

/** A text is not the JSON of a cursor; the message names the key and what is wrong with it. */
public final class CursorFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final boolean hasRemedy;

    CursorFormatException(String message) {
        this(message, false);
    }

    CursorFormatException(String message, Throwable cause) {
        super(message, cause);
        this.hasRemedy = false;
    }

    private CursorFormatException(String message, boolean hasRemedy) {
        super(message);
        this.hasRemedy = hasRemedy;
    }

    /** Creates an exception whose message states what to write instead. */
    static CursorFormatException withRemedy(String message) {
        return new CursorFormatException(message, true);
    }

    /** Whether the message states how to correct the text. */
    public boolean hasRemedy() {
        return hasRemedy;
    }
}
