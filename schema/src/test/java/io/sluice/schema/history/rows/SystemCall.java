package io.sluice.schema.history.rows;

/** What a program did to the files of one directory, or that it printed which step it had confirmed, in the order of the calls. */
sealed interface SystemCall {
    /** A file was created. */
    record Create(String file) implements SystemCall {}

    /** Bytes were written at an offset. */
    @SuppressWarnings("ArrayRecordComponent") // is never compared
    record Write(String file, long offset, byte[] bytes) implements SystemCall {}

    /** A file was cut, or extended. */
    record Truncate(String file, long size) implements SystemCall {}

    /** The content of a file was synchronized with the disk. */
    record Sync(String file) implements SystemCall {}

    /** The entries of the directory were synchronized with the disk. */
    record SyncDirectory() implements SystemCall {}

    /** A file was deleted. */
    record Unlink(String file) implements SystemCall {}

    /** A step was confirmed. */
    record Confirmed(long step) implements SystemCall {}
}
