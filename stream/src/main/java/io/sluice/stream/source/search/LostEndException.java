package io.sluice.stream.source.search;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.BinlogPosition;

/**
 * Thrown if a start position is beyond the end of its binlog file, and another file follows: the source has lost the end of the file, as in a crash without
 * {@code sync_binlog=1}. Nothing of what it still has is between that position and the next file.
 */
public final class LostEndException extends SourceException {
    private static final long serialVersionUID = 1L;

    private final transient BinlogPosition next;

    private final String identity;
    private final boolean isCertain;

    private LostEndException(
            SourceFailure failure,
            String message,
            String remedy,
            BinlogPosition next,
            String identity,
            boolean isCertain) {
        super(failure, message, remedy);
        this.next = next;
        this.identity = identity;
        this.isCertain = isCertain;
    }

    /**
     * Of a file that is known to be the one that was read.
     *
     * @param where the server
     * @param bytes how long the file is now
     * @param next where the next file begins
     * @param identity of the server
     */
    static LostEndException certain(
            Object where, BinlogPosition read, long bytes, BinlogPosition next, String identity) {
        return new LostEndException(
                SourceFailure.DIVERGED,
                ("%s has lost the end of %s: the file was read up to %d, and has %d bytes now, after which %s follows. Changes that were read are not in the binlog"
                                + " any more, as after a crash without sync_binlog=1 or a return to a snapshot of its disk")
                        .formatted(where, read.file(), read.offset(), bytes, next.file()),
                "compare what was changed last with the source, then continue at the next file, which skips nothing: "
                        + continuing(next) + "; set sync_binlog=1 on the source",
                next,
                identity,
                true);
    }

    /**
     * Of a file that may be another one than that of the position.
     *
     * @param where the server
     * @param bytes how long the file is now
     * @param next where the next file begins
     * @param identity of the server
     */
    static LostEndException uncertain(
            Object where, BinlogPosition position, long bytes, BinlogPosition next, String identity) {
        return new LostEndException(
                SourceFailure.PURGED,
                ("%s is beyond the end of the file at %s, which has %d bytes, and after which %s follows: the source has lost the end of the file in a crash"
                                + " (sync_binlog is not 1), or its binlog was reset, or the position was edited or is one of another server")
                        .formatted(position, where, bytes, next.file()),
                "if the source has lost the end of the file, continue at the next one, which skips nothing: "
                        + continuing(next)
                        + "; else set a position of this server, or a time: sluice.sh cursor set DESTINATION --time T --restart",
                next,
                identity,
                false);
    }

    private static String continuing(BinlogPosition next) {
        return "sluice.sh cursor set DESTINATION --to %s --restart (if the server has ended: without --restart, then bin/startup.sh)"
                .formatted(next);
    }

    /** Where the next file begins. */
    public BinlogPosition next() {
        return next;
    }

    /** The identity of the server. */
    public String identity() {
        return identity;
    }

    /** Whether the file is known to be the one that was read, so that all that it still has was read. */
    public boolean isCertain() {
        return isCertain;
    }
}
