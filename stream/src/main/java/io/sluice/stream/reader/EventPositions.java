package io.sluice.stream.reader;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.stream.event.Event;

/**
 * Determines where each event is in its file, and moves the position of the stream, and the time up to which it was read, past it. Events that a server sends
 * without having them in its file move neither. For one thread.
 */
final class EventPositions {
    private final StreamProgress progress;
    private final Checkpoints checkpoints;

    EventPositions(StreamProgress progress, Checkpoints checkpoints) {
        this.progress = progress;
        this.checkpoints = checkpoints;
    }

    /**
     * Sets the position of an event that is not inside another one.
     *
     * @param isMariaDb whether the file is one of MariaDB
     */
    void locate(Event event, boolean isMariaDb) {
        long start = progress.offset();
        long end = start;
        if (isInFile(event, isMariaDb)) {
            boolean isHeading = isHeading(event.code());
            end = progress.endOf(event.length(), event.nextOffset(), isHeading);
            start = end - event.length();
            if (!isHeading) {
                checkpoints.note(event.timestampSeconds(), event.serverId());
            }
        }
        event.setPosition(progress.file(), start, end);
    }

    /**
     * Continues after an event that is not inside another one.
     *
     * @param isMariaDb whether the file is one of MariaDB
     */
    void pass(Event event, boolean isMariaDb) {
        int code = event.code();
        if (code == EventCode.FORMAT_DESCRIPTION) {
            progress.passFormat(event.nextOffset(), event.timestampSeconds());
        } else if (isInFile(event, isMariaDb)) {
            passInFile(event, code);
        }
    }

    private void passInFile(Event event, int code) {
        if (isHeading(code)) {
            progress.passHeading(event.start(), event.end());
            return;
        }
        if (code != EventCode.ROTATE) {
            progress.pass(event.step(), event.start(), event.end());
        }
        checkpoints.pass(event.step());
    }

    /** Continues after an event that is inside another one. */
    void passInside(Event event) {
        progress.passInside(event);
        checkpoints.pass(event.step());
    }

    /** Continues after an event of which all inner events were passed. */
    void passOuter(Event.Position outer) {
        progress.pass(Step.ALONE, outer.start(), outer.end()); // it is a whole transaction
        checkpoints.pass(Step.ALONE);
    }

    /** Whether every file begins with such events. */
    private static boolean isHeading(int code) {
        return code == EventCode.PREVIOUS_GTIDS
                || code == EventCode.MARIADB_GTID_LIST
                || code == EventCode.MARIADB_BINLOG_CHECKPOINT
                || code == EventCode.MARIADB_START_ENCRYPTION;
    }

    private boolean isInFile(Event event, boolean isMariaDb) {
        return switch (event.code()) {
            case EventCode.HEARTBEAT, EventCode.HEARTBEAT_V2, EventCode.FORMAT_DESCRIPTION -> false;
            default ->
                !event.isArtificial()
                        // From 11.7 on, MariaDB does not state the positions of events within a transaction.
                        && (event.nextOffset() != 0
                                || progress.endsWithWrappedOffset(event.length())
                                || isMariaDb && !EventCode.isOfServer(event.code()));
        };
    }
}
