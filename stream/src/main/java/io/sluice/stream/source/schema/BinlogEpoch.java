package io.sluice.stream.source.schema;

import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.history.restore.HistoryMark;
import io.sluice.schema.history.restore.RecordedDdl;
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
 * the history was begun at another time than the history states, or, if it does not state that, was begun after the newest event of the history, and does not have it: the cursor may
 * have been set to the new binlog since. A binlog after a reset is known by the time at which its oldest file was begun when that was noticed, so
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

    /** Why the history says nothing of the table schemas of this binlog; null if it may. */
    @Nullable String doubt() {
        return isNew ? "the history ends in a binlog that was reset since" : null;
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
            RecordedDdl recorded,
            DumpStart start,
            @Nullable DumpStart read,
            boolean isContinued,
            SourceConnection connection)
            throws IOException {
        String entered = connection.facts().identity();
        boolean isSame = entered.equals(server);
        long known = isSame ? epoch : recorded.newestEpoch(entered);
        boolean isReadOn = isSame && read != null && read.fileBegunSeconds() != 0 && isAt(read, start);
        HistoryMark mark = isReadOn
                ? null
                : recorded.mark(entered, known); // before the files are listed, which have all that was read
        boolean isDoubtful = !isContinued && !isSame;
        long found = find(known, mark, isDoubtful, start, read, connection);
        boolean wasReset = found != CONTINUED;
        boolean isRaised = found > known;
        isNew = isRaised || isSame && isNew;
        epoch = Math.max(known, found);
        if (isRaised) {
            LOG.warn(
                    "the source's binlog was reset, what the schema history has of it is of an older one: instance={} start={}",
                    instance,
                    start);
        }
        server = entered; // not before, so that what fails is done at the next attempt
        return wasReset;
    }

    private static boolean isAt(DumpStart one, DumpStart other) {
        return one.positionOrUnknown().equals(other.positionOrUnknown());
    }

    /** Returns which binlog it is; {@link #CONTINUED} if no reset was noticed. */
    private static long find(
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
                return CONTINUED;
            }
            if (!start.byGtids() && files.areOthers(start)) { // which cannot be read
                return CONTINUED;
            }
            if (mark != null && !isHistoryOlder && files.has(mark.file(), mark.fileBegunSeconds())) {
                return known; // what was read is older, as after a return to an old cursor
            }
            long begun = files.begunSeconds(files.oldest());
            long least = isHistoryOlder ? known + 1 : known;
            return begun >= least ? Math.max(1, begun) : known + 1;
        } catch (ServerErrorException e) {
            if (!DumpCheck.isRejection(e)) {
                throw e;
            }
            return CONTINUED; // it is not noticed then
        }
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

        /** Whether a file has the name of one that is in the history, and is another one. A file that was only cut off, in a crash of the source, is the same one. */
        boolean areOthers(HistoryMark mark, boolean isDoubtful) throws IOException {
            return isReplaced(mark.file(), mark.fileBegunSeconds())
                    || isDoubtful
                            && has(mark.file())
                            && !isCutOff(mark)
                            && isWithoutEvent(mark, begunSeconds(mark.file()), scan);
        }

        /** Whether a file has lost the end with the newest event of the history: it was begun when the history states, and another one follows. */
        private boolean isCutOff(HistoryMark mark) throws IOException {
            for (ServerFacts.File file : all.subList(0, all.size() - 1)) {
                if (file.name().equals(mark.file())) {
                    return file.bytes() >= DumpRequest.FIRST_POSITION
                            && file.bytes() < mark.end().orElse(mark.offset())
                            && mark.fileBegunSeconds() != 0
                            && begunSeconds(mark.file()) == mark.fileBegunSeconds();
                }
            }
            return false;
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
