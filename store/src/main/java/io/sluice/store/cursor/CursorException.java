package io.sluice.store.cursor;

import org.jspecify.annotations.Nullable;

/** A cursor cannot be read or written; the message says where it is, what is wrong, and what to do. */
public final class CursorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    private enum Kind {
        DAMAGE,
        LOCK_FILE,
        IN_USE,
        NO_DIRECTORY,
        OTHER
    }

    public CursorException(String message) {
        super(message);
        this.kind = Kind.OTHER;
    }

    public CursorException(String message, Throwable cause) {
        this(message, cause, Kind.OTHER);
    }

    private CursorException(String message, @Nullable Throwable cause, Kind kind) {
        super(message, cause);
        this.kind = kind;
    }

    /** Creates one for cursors that were read, and are none: reading again does not help. */
    public static CursorException ofDamage(String message, Throwable cause) {
        return new CursorException(message, cause, Kind.DAMAGE);
    }

    /** Creates one for cursors whose lock file cannot be opened; perhaps they can be read. */
    public static CursorException ofLockFile(String message, Throwable cause) {
        return new CursorException(message, cause, Kind.LOCK_FILE);
    }

    /** Creates one for cursors that another instance, or a command, has locked. */
    public static CursorException ofUse(String message) {
        return new CursorException(message, null, Kind.IN_USE);
    }

    /** Creates one for cursors whose directory was removed while they were open. */
    public static CursorException ofMissingDirectory(String message) {
        return new CursorException(message, null, Kind.NO_DIRECTORY);
    }

    /** Whether the directory of the cursors was removed while they were open. */
    public boolean isOfMissingDirectory() {
        return kind == Kind.NO_DIRECTORY;
    }

    /** Whether what is kept there was read and is no cursor, so that an operator may replace it. */
    public boolean isDamage() {
        return kind == Kind.DAMAGE;
    }

    /** Whether the lock file cannot be opened, as on a disk that is read-only: whether another process has the lock is not known by that. */
    public boolean isOfLockFile() {
        return kind == Kind.LOCK_FILE;
    }

    /** Whether another instance, or a command, has locked the cursors. */
    public boolean isOfUse() {
        return kind == Kind.IN_USE;
    }
}
