package io.sluice.store.cursor;

/** A cursor cannot be read or written; the message says where it is, what is wrong, and what to do. */
public final class CursorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    private enum Kind {
        DAMAGE,
        LOCK_FILE,
        OTHER
    }

    public CursorException(String message) {
        super(message);
        this.kind = Kind.OTHER;
    }

    public CursorException(String message, Throwable cause) {
        this(message, cause, Kind.OTHER);
    }

    private CursorException(String message, Throwable cause, Kind kind) {
        super(message, cause);
        this.kind = kind;
    }

    /** Creates one for cursors that were read, and are none: reading again does not help. */
    static CursorException ofDamage(String message, Throwable cause) {
        return new CursorException(message, cause, Kind.DAMAGE);
    }

    /** Creates one for cursors whose lock file cannot be opened; perhaps they can be read. */
    static CursorException ofLockFile(String message, Throwable cause) {
        return new CursorException(message, cause, Kind.LOCK_FILE);
    }

    /** Whether what is kept there was read and is no cursor, so that an operator may replace it. */
    public boolean isDamage() {
        return kind == Kind.DAMAGE;
    }

    /** Whether the lock file cannot be opened, as on a disk that is read-only: whether another process has the lock is not known by that. */
    public boolean isOfLockFile() {
        return kind == Kind.LOCK_FILE;
    }
}
