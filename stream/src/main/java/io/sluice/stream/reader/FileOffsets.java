package io.sluice.stream.reader;

import io.sluice.format.entry.LogFile;
import io.sluice.protocol.position.BinlogPosition;
import org.jspecify.annotations.Nullable;

/**
 * Computes the offsets of a file from those of event headers, which are modulo 2^32.
 *
 * <p>In a dump of a whole file, or from a position, the rest follows from the events before; but a dump by GTIDs leaves transactions out,
 * perhaps more than 4 GiB of them. Then it follows from {@linkplain Floor where reading ended before}, or from a heartbeat that states the
 * whole offset; else it is not known, and offsets may be too small by a multiple of 4 GiB until the next file. For one thread, but for
 * {@link #areExact}.
 */
final class FileOffsets {
    /** How many offsets headers can state. */
    static final long OF_HEADER = 1L << 32;

    /** Before which nothing comes but the head of its file; null if that is not known, or what follows it has come. */
    private @Nullable Floor floor;

    private volatile boolean areExact = true;

    /**
     * Whether the offsets of the file are known, and not only modulo 4 GiB, which is the same in a file that is not larger. May be called
     * by any thread.
     */
    boolean areExact() {
        return areExact;
    }

    private void setExact(boolean exact) {
        if (exact != areExact) { // others read it, so a write costs more than this
            areExact = exact;
        }
    }

    /**
     * States that no transaction comes of a file that is before a position in it.
     *
     * @param begunSeconds when the file of the position was begun; 0 if that is not known, and so nothing of the file that comes
     */
    void setFloor(BinlogPosition position, long begunSeconds) {
        floor = begunSeconds == 0 ? null : new Floor(position, begunSeconds);
    }

    /** Continues at another position, about which nothing was stated yet. */
    void restart() {
        floor = null;
        setExact(true);
    }

    /** Continues in another file, whose offsets begin with 0. */
    void enterFile() {
        setExact(true);
    }

    /**
     * Continues at a boundary on a new connection.
     *
     * @param begunSeconds when the file of the boundary was begun; 0 if that is not known
     * @param byGtids whether the source is asked for what follows a GTID set, and not for that position
     */
    void resume(BinlogPosition boundary, long begunSeconds, boolean byGtids) {
        if (!byGtids) {
            floor = null;
        } else if (floor == null && areExact) { // else nothing has come that is after it
            setFloor(boundary, begunSeconds);
        }
        setExact(true);
    }

    /**
     * Computes where an event ends.
     *
     * @param offset where the event starts if nothing was left out before it
     * @param nextOffset as its header states it; 0 if it states none
     * @param isHeading whether such events are at the head of every file
     */
    long endOf(LogFile file, long offset, int length, long nextOffset, boolean isHeading) {
        long from = isHeading ? offset : lowestStart(file, offset);
        return nextOffset == 0 ? from + length : widened(nextOffset, from);
    }

    /** Whether the header of the next event states 0 if it is so long: it ends at a multiple of 4 GiB. */
    boolean endsWithWrapped(LogFile file, long offset, int length) {
        return (lowestStart(file, offset) + length) % OF_HEADER == 0;
    }

    /** The smallest offset with these low 32 bits that is not before another one. */
    private static long widened(long low, long from) {
        long wide = from & -OF_HEADER | low;
        return wide < from ? wide + OF_HEADER : wide;
    }

    /** Where the next transaction starts at the earliest. */
    private long lowestStart(LogFile file, long offset) {
        Floor known = floor;
        return known != null && known.isBeyondHeaders() && known.isIn(file) ? Math.max(offset, known.offset()) : offset;
    }

    /**
     * Passes an event that is not at the head of its file.
     *
     * @param offset where it starts if nothing was left out before it
     * @param isOutside whether it is outside of transactions
     */
    void pass(LogFile file, long offset, long start, boolean isOutside) {
        if (start != offset) { // transactions were left out
            setExact(isKnownByFloor(file, start));
        }
        if (floor != null && (!isOutside || floor.isIn(file))) {
            floor = null; // also if its file is not sent any more, since all of it is executed
        }
    }

    /** Passes an event at the head of a file, which comes before the floor. */
    void passHeading(long offset, long start) {
        if (start != offset) {
            setExact(false);
        }
    }

    private boolean isKnownByFloor(LogFile file, long start) {
        Floor known = floor;
        return known != null && known.isIn(file) && (known.isBeyondHeaders() || known.offset() == start);
    }

    /**
     * Passes what the source has left out before a heartbeat.
     *
     * @param heartbeat the offset that it states
     * @param isWhole whether that is more than the low 32 bits
     * @return where the next event starts then; {@code offset} if the heartbeat does not tell that
     */
    long skip(LogFile file, long offset, long heartbeat, boolean isWhole) {
        Floor known = floor;
        long to = heartbeat;
        boolean isExact = isWhole;
        if (!isWhole && known != null && known.isIn(file) && known.offset() % OF_HEADER == heartbeat) {
            to = known.offset();
            isExact = true;
        } else if (!isWhole && known != null && known.isIn(file) && known.isBeyondHeaders()) {
            return offset; // it may be before that, or after it
        }
        if (to <= offset) {
            return offset;
        }
        floor = known == null || known.isIn(file) && known.offset() <= to ? null : known;
        setExact(isExact);
        return to;
    }

    /**
     * Where reading ended in a file: nothing of it that is before comes again, but its head.
     *
     * @param begunSeconds when the file was begun, since another one may have that name after a reset
     */
    private record Floor(BinlogPosition position, long begunSeconds) {
        long offset() {
            return position.offset();
        }

        boolean isIn(LogFile other) {
            return begunSeconds == other.begunSeconds() && position.file().equals(other.name());
        }

        /** Whether more than the offsets of headers is needed to know what follows; else these are as good, and may be of a smaller file. */
        boolean isBeyondHeaders() {
            return position.offset() >= OF_HEADER;
        }
    }
}
