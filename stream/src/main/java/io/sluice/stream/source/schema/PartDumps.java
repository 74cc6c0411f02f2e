package io.sluice.stream.source.schema;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.Time;
import io.sluice.stream.reader.DdlReplay;
import io.sluice.stream.source.server.BinlogScan;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/**
 * Reads a part of the binlog into a {@link DdlReplay}, by another dump if one ends early. The end of the binlog that a server states may be
 * ahead of what it sends, by transactions that are written and not synced yet; and a server that shuts down, or kills the session, ends a
 * dump as if there were no more.
 */
final class PartDumps {
    /** How many dumps in a row may bring nothing. */
    static final int MOST_WITHOUT_PROGRESS = 6;

    private static final Duration FIRST_WAIT = Duration.ofMillis(20);

    private final BinlogScan scan;
    private final boolean hasChecksums;
    private final Time time;

    /**
     * Of one server.
     *
     * @param hasChecksums whether events have checksums before the format description states it
     * @param time waits before another dump
     */
    PartDumps(BinlogScan scan, boolean hasChecksums, Time time) {
        this.scan = scan;
        this.hasChecksums = hasChecksums;
        this.time = time;
    }

    /**
     * Reads up to a position.
     *
     * @param replay is at the beginning of the part
     * @param progress is called after some events
     * @throws EOFException if the binlog ends before that position, also after a while
     * @throws IOException if the host cannot be reached, or does not have that part any more, or a statement could not be written to the
     *     history
     * @throws io.sluice.stream.failure.StreamException if an event cannot be read
     */
    void read(DdlReplay replay, BinlogPosition until, DdlReplay.Progress progress) throws IOException {
        BinlogPosition furthest = replay.nextPosition();
        BinlogPosition reached = dump(replay, until, progress);
        int without = 0;
        Duration wait = FIRST_WAIT;
        while (reached.isBefore(until)) {
            if (furthest.isBefore(reached)) {
                furthest = reached;
                without = 0;
                wait = FIRST_WAIT;
            } else {
                without++;
            }
            if (without == MOST_WITHOUT_PROGRESS) {
                throw new EOFException("the source has ended the binlog at %s, before %s".formatted(furthest, until));
            }
            sleep(wait);
            wait = wait.multipliedBy(2);
            reached = dump(replay, until, progress);
        }
    }

    private BinlogPosition dump(DdlReplay replay, BinlogPosition until, DdlReplay.Progress progress)
            throws IOException {
        try (EventSource events = scan.read(replay.nextPosition())) {
            return replay.run(events, hasChecksums, until, progress);
        }
    }

    private void sleep(Duration wait) throws IOException {
        try {
            time.sleep(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the binlog was searched for DDL");
        }
    }
}
