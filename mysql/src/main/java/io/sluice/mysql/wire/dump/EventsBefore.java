package io.sluice.mysql.wire.dump;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;

/**
 * Tells which events of a file are before a position in it. The command of a dump states offsets in 32 bits, and one large transaction makes a
 * file longer than that; then the dump begins with the file, and what comes up to the position is passed over. The rest looks like a dump from
 * there: the format description comes first. For one thread.
 */
public final class EventsBefore {
    private final String file;
    private final long position;
    private long offset = DumpRequest.FIRST_POSITION;

    /** @param request is beyond what the command can state */
    public EventsBefore(DumpRequest request) {
        this.file = request.file();
        this.position = request.position();
    }

    /** Whether the position is not reached, so that the next event is to be {@linkplain #isPassedOver judged}. */
    public boolean isAhead() {
        return offset < position;
    }

    /**
     * Judges the next event of the dump.
     *
     * @return whether it is before the position, and no format description
     * @throws SourceException PURGED if the file ends before that position, MISCONFIGURED if it is within an event, CORRUPT if what came is not
     *     what the file has up to there
     */
    public boolean isPassedOver(EventHeader header) throws SourceException {
        int code = header.code();
        if (code == EventCode.HEARTBEAT
                || code == EventCode.HEARTBEAT_V2) { // comes only if the server has nothing more
            throw ended("the binlog");
        }
        boolean isInFile = isInFile(header);
        long start = offset;
        offset += isInFile ? header.length() : 0;
        if (isInFile && header.nextOffset() != 0 && (int) header.nextOffset() != (int) offset) {
            throw corrupt(
                    start,
                    "its header states that it ends at %d (of the offset, 32 bits), but with all that came before it ends at %d"
                            .formatted(header.nextOffset(), offset));
        }
        if (offset > position) {
            throw within(file, position, start, offset);
        }
        boolean isEnd =
                code == EventCode.ROTATE && start > DumpRequest.FIRST_POSITION; // a dump begins with such an event, too
        if (isEnd && offset < position) {
            throw ended("the file");
        }
        return code != EventCode.FORMAT_DESCRIPTION;
    }

    /** The failure of an event that cannot be judged, as it has no header. */
    public SourceException unreadable(MalformedEventException cause) {
        SourceException failure = corrupt(offset, String.valueOf(cause.getMessage()));
        failure.initCause(cause);
        return failure;
    }

    /**
     * The failure of a position within an event, as after an offset was edited by hand.
     *
     * @param start where the event begins
     * @param end where it ends
     */
    public static SourceException within(String file, long position, long start, long end) {
        return new SourceException(
                SourceFailure.MISCONFIGURED,
                missing(file, position, "one is from %d to %d".formatted(start, end)),
                "set the cursor to an offset at which an event begins, as %d: sluice.sh cursor set DESTINATION --to %s:%d --restart (if the server has"
                                .formatted(start, file, start)
                        + " ended: without --restart, then bin/startup.sh); without a cursor, correct canal.instance.master.position");
    }

    private SourceException ended(String what) {
        return new SourceException(
                SourceFailure.PURGED, missing(file, position, "%s ends at %d".formatted(what, offset)));
    }

    private SourceException corrupt(long start, String reason) {
        return new SourceException(
                SourceFailure.CORRUPT,
                "the event at %s:%d cannot be read, on the way to %d: %s".formatted(file, start, position, reason));
    }

    private static String missing(String file, long position, String instead) {
        return "no event of %s begins at %d, from which it was to be read: %s".formatted(file, position, instead);
    }

    /** Where the next event begins. */
    public long offset() {
        return offset;
    }

    private static boolean isInFile(EventHeader header) {
        return header.code() == EventCode.MARIADB_START_ENCRYPTION ? header.nextOffset() != 0 : !header.isArtificial();
    }
}
