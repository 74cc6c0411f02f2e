package io.sluice.stream.source.search;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.ServerFacts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a start position is beyond the end of its binlog file, and another file follows: the source has lost the end of the file, as in a crash without
 * {@code sync_binlog=1}. Nothing of what it still has is between that position and the next file.
 */
public final class LostEndException extends SourceException {
    private static final long serialVersionUID = 1L;

    private final transient End end;
    private final transient @Nullable BinlogPosition undecided;

    private LostEndException(End end, @Nullable BinlogPosition undecided) {
        super(end.isCertain() ? SourceFailure.DIVERGED : SourceFailure.PURGED, message(end), remedy(end, undecided));
        this.end = end;
        this.undecided = undecided;
    }

    /**
     * Where a file ends.
     *
     * @param where the server
     * @param position the start position, which is beyond it
     * @param bytes how long the file is now
     * @param next where the next file begins
     * @param files all files that the server has
     * @param identity of the server
     * @param isCertain whether the file is known to be the one that was read
     * @param isProbablyOther whether the position is probably one of another server
     */
    private record End(
            String where,
            BinlogPosition position,
            long bytes,
            BinlogPosition next,
            List<ServerFacts.File> files,
            String identity,
            boolean isCertain,
            boolean isProbablyOther) {
        /** Whether the server has the event at a position. */
        boolean has(BinlogPosition at) {
            return files.stream().anyMatch(file -> file.name().equals(at.file()) && at.offset() < file.bytes());
        }
    }

    /**
     * Of a file that is known to be the one that was read.
     *
     * @param where the server
     * @param bytes how long the file is now
     * @param next where the next file begins
     * @param files all files that the server has
     * @param identity of the server
     */
    static LostEndException certain(
            Object where,
            BinlogPosition read,
            long bytes,
            BinlogPosition next,
            List<ServerFacts.File> files,
            String identity) {
        return new LostEndException(new End(where.toString(), read, bytes, next, files, identity, true, false), null);
    }

    /**
     * Of a file that may be another one than that of the position.
     *
     * @param where the server
     * @param bytes how long the file is now
     * @param next where the next file begins
     * @param files all files that the server has
     * @param identity of the server
     * @param isProbablyOther whether the position is probably one of another server
     */
    static LostEndException uncertain(
            Object where,
            BinlogPosition position,
            long bytes,
            BinlogPosition next,
            List<ServerFacts.File> files,
            String identity,
            boolean isProbablyOther) {
        return new LostEndException(
                new End(where.toString(), position, bytes, next, files, identity, false, isProbablyOther), null);
    }

    private static String message(End end) {
        BinlogPosition position = end.position();
        return end.isCertain()
                ? ("%s has lost the end of %s: the file was read up to %d, and has %d bytes now, after which %s follows. Changes that were read are not in the binlog"
                                + " any more, as after a crash without sync_binlog=1 or a return to a snapshot of its disk")
                        .formatted(
                                end.where(),
                                position.file(),
                                position.offset(),
                                end.bytes(),
                                end.next().file())
                : ("%s is beyond the end of the file at %s, which has %d bytes, and after which %s follows: the source has lost the end of the file in a crash"
                                + " (sync_binlog is not 1), or its binlog was reset, or the position was edited or is one of another server")
                        .formatted(
                                position, end.where(), end.bytes(), end.next().file());
    }

    private static String remedy(End end, @Nullable BinlogPosition undecided) {
        String continuing = (undecided == null
                        ? "continue at the next one, which skips nothing: "
                        : "continue where the oldest XA transaction begins that is not decided, since its commit has no rows; some changes come again: ")
                + "sluice.sh cursor set DESTINATION --to %s --restart (if the server has ended: without --restart, then bin/startup.sh)"
                        .formatted(undecided == null ? end.next() : undecided);
        return end.isCertain()
                ? "compare what was changed last with the source, then " + continuing
                        + "; set sync_binlog=1 on the source"
                : "if the source has lost the end of the file, " + continuing
                        + "; else set a position of this server, or a time: sluice.sh cursor set DESTINATION --time T --restart";
    }

    /**
     * Returns the failure of a stream that holds rows of XA transactions: the event that commits one has no rows, so they must be read again. Itself if the
     * source has these rows no more, in a lost end or a file that was purged.
     *
     * @param undecided where the oldest of these transactions begins
     */
    public LostEndException beforeUndecided(BinlogPosition undecided) {
        return end.has(undecided) ? new LostEndException(end, undecided) : this;
    }

    /** Where reading continues: where the next file begins, or the oldest XA transaction that is not decided. */
    public BinlogPosition start() {
        BinlogPosition earlier = undecided;
        return earlier == null ? end.next() : earlier;
    }

    /** The identity of the server. */
    public String identity() {
        return end.identity();
    }

    /** Whether the file is known to be the one that was read, so that all that it still has was read. */
    public boolean isCertain() {
        return end.isCertain();
    }

    /** Whether {@link #start} follows what was read, and nothing is between. */
    public boolean isContinuous() {
        return end.isCertain() && undecided == null;
    }

    /** Whether the position is probably one of another server, so that its files say nothing. */
    public boolean isProbablyOfAnotherServer() {
        return end.isProbablyOther();
    }
}
