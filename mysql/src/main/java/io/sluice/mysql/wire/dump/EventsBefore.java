package io.sluice.mysql.wire.dump;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
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
     * @throws SourceException PURGED if the file has no event at that position
     */
    public boolean isPassedOver(EventHeader header) throws SourceException {
        int code = header.code();
        boolean isInFile = isInFile(header);
        long start = offset;
        offset += isInFile ? header.length() : 0;
        if (offset > position) {
            throw missing("one is from %d to %d".formatted(start, offset));
        }
        boolean isEnd =
                code == EventCode.ROTATE && start > DumpRequest.FIRST_POSITION; // a dump begins with such an event, too
        if (isEnd && offset < position) {
            throw missing("the file ends at " + offset);
        }
        return code != EventCode.FORMAT_DESCRIPTION;
    }

    private SourceException missing(String instead) {
        return new SourceException(
                SourceFailure.PURGED,
                "no event of %s begins at %d, from which it was to be read: %s".formatted(file, position, instead));
    }

    private static boolean isInFile(EventHeader header) {
        return switch (header.code()) {
            case EventCode.HEARTBEAT, EventCode.HEARTBEAT_V2 -> false;
            case EventCode.MARIADB_START_ENCRYPTION -> header.nextOffset() != 0;
            default -> !header.isArtificial();
        };
    }
}
