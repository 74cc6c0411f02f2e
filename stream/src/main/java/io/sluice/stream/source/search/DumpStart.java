package io.sluice.stream.source.search;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.LastEvent;
import org.jspecify.annotations.Nullable;

/**
 * Where reading begins at a server.
 *
 * @param position the file and offset on this server; null if it is known by GTIDs only
 * @param executed the transactions before it; null if they are not followed
 * @param byGtids whether the binlog is requested by {@code executed}, and not by {@code position}
 * @param lastEvent the newest event before it, as in {@link io.sluice.protocol.position.Cursor#lastEvent}
 * @param fileBegunSeconds when the file of {@code position} was begun, in seconds since the epoch: another file of that name must not be read;
 *     0 if that is not known
 */
public record DumpStart(
        @Nullable BinlogPosition position,
        @Nullable GtidSet executed,
        boolean byGtids,
        LastEvent lastEvent,
        long fileBegunSeconds) {
    public DumpStart {
        if (byGtids ? executed == null : position == null) {
            throw new IllegalArgumentException("a start position without a position");
        }
    }

    /** By file and offset. */
    public static DumpStart at(BinlogPosition position, LastEvent lastEvent) {
        return new DumpStart(position, null, false, lastEvent, 0);
    }

    /** By GTIDs. */
    public static DumpStart after(@Nullable BinlogPosition position, GtidSet executed, LastEvent lastEvent) {
        return new DumpStart(position, executed, true, lastEvent, 0);
    }

    /** Returns a copy with the time at which the file was begun, in seconds since the epoch; 0 if it is not known. */
    public DumpStart inFileBegunAt(long seconds) {
        return new DumpStart(position, executed, byGtids, lastEvent, seconds);
    }

    /** When {@link #lastEvent} was written, or earlier, in milliseconds since the epoch; 0 if that is not known. */
    public long timeMillis() {
        return lastEvent.millis();
    }

    /** The position, or {@link BinlogPosition#UNKNOWN}. */
    public BinlogPosition positionOrUnknown() {
        return position == null ? BinlogPosition.UNKNOWN : position;
    }

    @Override
    public String toString() {
        if (!byGtids) {
            return String.valueOf(position);
        }
        return position == null ? "after " + executed : position + " (by GTIDs)";
    }
}
