package io.sluice.stream.source.schema;

import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.history.HistoryMark;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.stream.source.search.DumpCheck;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines which binlog of a server is read, from reset to reset: after a reset its files have the names again that are in the schema history.
 *
 * <p>It was reset if the file that was read is another one now, by the time at which it was begun, or if a file that was read, or is in the
 * history, has a larger number than the newest one of the server, or a name of another series ({@code log_bin} was changed); or if the newest file that is in
 * the history was begun at another time than the history states, or, if an earlier version wrote that, was begun after the newest event of the history, and does not have it: the cursor may
 * have been set to the new binlog since. If that file has only lost its end, the history is made to end there, too. A binlog after a reset is known by the time at which its oldest file was begun when that was noticed, so
 * that it is the same if it is noticed again. For one thread.
 */
final class BinlogEpoch {
    private static final Logger LOG = LoggerFactory.getLogger(BinlogEpoch.class);

    /** The result of a search if the binlog was not reset. */
    private static final long CONTINUED = -1;

    private static final long MILLIS = 1000;

    private final String instance;
    /** The server whose binlog is read; null before the first. */
    private @Nullable String server;

    private long epoch;
    /** Whether the history has nothing of that binlog yet. */
    private boolean isNew;
    /** Where the source has lost the end of a file that was in the history; null if it has not, or the schemas of the start are known since. */
    private @Nullable BinlogPosition cutOff;

    BinlogEpoch(String instance) {
        this.instance = instance;
    }

    /** Which binlog of the server is read; larger than those before, and 0 if no reset is known. */
    long epoch() {
        return epoch;
    }

    /** Whether the history has nothing of that binlog yet, so that a restart would not know it. */
    boolean isNew() {
        return isNew;
    }

    /** Why the history says nothing of the table schemas where a position of this binlog is read; null if it may. */
    @Nullable String doubt(BinlogPosition start) {
        BinlogPosition lost = cutOff;
        if (isNew) {
            return "the history ends in a binlog that was reset since";
        }
        return lost == null || start.isBefore(lost)
                ? null
                : "the source has lost its binlog after %s, which the history had, and may have kept what was changed there"
                        .formatted(lost);
    }

    /** States that the schemas of the start are known. */
    void markEntered() {
        cutOff = null;
    }

    /** States that the history has something of it. */
    void markStored() {
        isNew = false;
    }

    /**
     * Determines which binlog it is.
     *
     * @param start where the server is to be read
     * @param read up to where this server was read before; null if it was not, or that is not known
     * @param isContinued whether it is certain that the history is of the binlog of the start: the stream continues where the history was written
     * @return whether what was read before, or is in the history, is of another one
     */
    boolean enter(
            SchemaHistory history,
            DumpStart start,
            @Nullable DumpStart read,
            boolean isContinued,
            SourceConnection connection)
            throws IOException {
        String entered = connection.facts().identity();
        boolean isSame = entered.equals(server);
        long known = isSame ? epoch : history.epoch(entered);
        history.setSource(entered, known);
        boolean isReadOn = isSame && read != null && read.fileBegunSeconds() != 0 && isAt(read, start);
        HistoryMark mark =
                isReadOn ? null : history.mark(entered); // before the files are listed, which have all that was read
        boolean isDoubtful = !isContinued && !isSame;
        Found found = find(known, mark, isDoubtful, start, read, connection);
        boolean wasReset = found.epoch() != CONTINUED;
        boolean isRaised = found.epoch() > known;
        isNew = isRaised || isSame && isNew;
        epoch = Math.max(known, found.epoch());
        history.setSource(entered, epoch);
        if (isRaised) {
            LOG.warn(
                    "the source's binlog was reset, what the schema history has of it is of an older one: instance={} start={}",
                    instance,
                    start);
        }
        BinlogPosition end = found.end();
        cutOff = end != null || !isSame ? end : cutOff;
        if (end != null) {
            LOG.warn(
                    "the source has lost the end of a binlog file, what the schema history had of it was removed: instance={} end={} removed={}",
                    instance,
                    end,
                    history.removeBeyond(end));
        }
        server = entered; // not before, so that what fails is done at the next attempt
        return wasReset;
    }

    private static boolean isAt(DumpStart one, DumpStart other) {
        return one.positionOrUnknown().equals(other.positionOrUnknown());
    }

    /**
     * The result of a search.
     *
     * @param epoch which binlog it is; {@link #CONTINUED} if no reset was noticed
     * @param end where the newest file ends that is in the history, if the source has lost what followed; else null
     */
    private record Found(long epoch, @Nullable BinlogPosition end) {
        static final Found NOTHING = new Found(CONTINUED, null);
    }

    private static Found find(
            long known,
            @Nullable HistoryMark mark,
            boolean isDoubtful,
            DumpStart start,
            @Nullable DumpStart read,
            SourceConnection connection)
            throws IOException {
        try {
            Files files = new Files(connection.facts().files(), connection.scan());
            boolean isHistoryOlder = mark != null && (files.lack(mark.file()) || files.areOthers(mark, isDoubtful));
            boolean wasReset = isHistoryOlder || read != null && files.areOthers(read);
            if (!wasReset) {
                BinlogPosition end = mark == null ? null : files.endBefore(mark);
                return end == null || isLost(start, end) ? Found.NOTHING : new Found(CONTINUED, end);
            }
            if (!start.byGtids() && files.areOthers(start)) { // which cannot be read
                return Found.NOTHING;
            }
            if (mark != null && !isHistoryOlder && files.has(mark.file(), mark.fileBegunSeconds())) {
                return new Found(known, null); // what was read is older, as after a return to an old cursor
            }
            long begun = files.begunSeconds(files.oldest());
            long least = isHistoryOlder ? known + 1 : known;
            return new Found(begun >= least ? Math.max(1, begun) : known + 1, null);
        } catch (ServerErrorException e) {
            if (!DumpCheck.isRejection(e)) {
                throw e;
            }
            return Found.NOTHING; // it is not noticed then
        }
    }

    /** Whether a start is in what is lost, so that nothing can be read there. */
    private static boolean isLost(DumpStart start, BinlogPosition end) {
        BinlogPosition position = start.positionOrUnknown();
        return !start.byGtids() && position.file().equals(end.file()) && position.offset() > end.offset();
    }

    /** The files of a server's binlog. */
    private static final class Files {
        private final List<ServerFacts.File> all;
        private final BinlogScan scan;
        private final Map<String, Long> begun = new HashMap<>();

        Files(List<ServerFacts.File> all, BinlogScan scan) {
            this.all = all;
            this.scan = scan;
        }

        String oldest() {
            return all.get(0).name();
        }

        /** When a file was begun; 0 if that is not known. */
        long begunSeconds(String file) throws IOException {
            Long known = begun.get(file);
            if (known == null) {
                known = scan.begunSeconds(file);
                begun.put(file, known);
            }
            return known;
        }

        private boolean has(String file) {
            return all.stream().anyMatch(one -> one.name().equals(file));
        }

        /** Whether there is a file that was begun at a time; not if the time is not known. */
        boolean has(String file, long seconds) throws IOException {
            return seconds != 0 && has(file) && begunSeconds(file) == seconds;
        }

        /** Whether a file is not there and was not purged: it is newer than the newest one, or its name is of another series. */
        boolean lack(String file) {
            OptionalInt order =
                    BinlogPosition.compareFiles(file, all.get(all.size() - 1).name());
            return !has(file) && (order.isEmpty() || order.getAsInt() > 0);
        }

        /** Whether a position is in a file that the server does not have, or not any more under that name. Purged files are not. */
        boolean areOthers(DumpStart point) throws IOException {
            BinlogPosition position = point.position();
            if (position == null || !position.isKnown()) {
                return false;
            }
            return lack(position.file()) || isReplaced(position.file(), point.fileBegunSeconds());
        }

        /** Whether a file has the name of one that was begun at another time. */
        private boolean isReplaced(String file, long seconds) throws IOException {
            return seconds != 0 && has(file) && begunSeconds(file) != 0 && begunSeconds(file) != seconds;
        }

        /** Where the newest file that is in the history ends, if it is that one and ends before what the history has; null if it does not. */
        @Nullable BinlogPosition endBefore(HistoryMark mark) throws IOException {
            long known = mark.end().orElse(mark.offset());
            for (ServerFacts.File file : all) {
                if (file.name().equals(mark.file())) {
                    boolean isShorter = known > file.bytes() && has(mark.file(), mark.fileBegunSeconds());
                    long end = isShorter ? sentEnd(mark.file()) : known;
                    return end >= file.bytes() && end < known ? new BinlogPosition(mark.file(), end) : null;
                }
            }
            return null;
        }

        /** Where a file ends as it is sent: a proxy may list the files of another server. */
        private long sentEnd(String file) throws IOException {
            long[] last = {0};
            scan.scan(file, (header, body, start, end) -> {
                last[0] = end;
                return true;
            });
            return last[0];
        }

        /** Whether a file has the name of one that is in the history, and is another one. A file that was only cut off, in a crash of the source, is the same one. */
        boolean areOthers(HistoryMark mark, boolean isDoubtful) throws IOException {
            return isReplaced(mark.file(), mark.fileBegunSeconds())
                    || isDoubtful && has(mark.file()) && isWithoutEvent(mark, begunSeconds(mark.file()), scan);
        }
    }

    /**
     * Whether a file was begun after the newest event of the history, and does not have it. A statement may be older than the file that it is in: it began before that, or its session
     * has set the time. So the event itself counts.
     */
    private static boolean isWithoutEvent(HistoryMark mark, long begunSeconds, BinlogScan scan) throws IOException {
        return mark.end().isPresent()
                && mark.timeMillis() != 0
                && begunSeconds >= mark.timeMillis() / MILLIS
                && !hasEnd(mark, scan);
    }

    /** Whether an event of the file ends where that of the history does; a statement also has its time. */
    private static boolean hasEnd(HistoryMark mark, BinlogScan scan) throws IOException {
        boolean[] found = {false};
        long wanted = mark.end().orElseThrow();
        scan.scan(mark.file(), (header, body, start, end) -> {
            boolean isOfTime = !mark.isStatement() || header.timestampSeconds() == mark.timeMillis() / MILLIS;
            found[0] = start == wanted || end == wanted && isOfTime;
            return !found[0] && end < wanted;
        });
        return found[0];
    }
}
