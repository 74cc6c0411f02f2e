package io.sluice.store.cursor;

/** A cursor cannot be read or written; the message says where it is, what is wrong, and what to do. */
public final class CursorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean isDamage;

    public CursorException(String message) {
        super(message);
        this.isDamage = false;
    }

    public CursorException(String message, Throwable cause) {
        this(message, cause, false);
    }

    private CursorException(String message, Throwable cause, boolean isDamage) {
        super(message, cause);
        this.isDamage = isDamage;
    }

    /** Creates one for cursors that were read, and are none: reading again does not help. */
    static CursorException ofDamage(String message, Throwable cause) {
        return new CursorException(message, cause, true);
    }

    /** Whether what is kept there was read and is no cursor, so that an operator may replace it. */
    public boolean isDamage() {
        return isDamage;
    }
}
