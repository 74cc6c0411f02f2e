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
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines which binlog of a server is read, from reset to reset: after a reset its files have the names again that are in the schema history.
 *
 * <p>It was reset if the file that was read is another one now, by the time at which it was begun, or if a file that was read, or is in the
 * history, has a larger number than the newest one of the server, or a name of another series ({@code log_bin} was changed); or if the newest file that is
 * in the history was begun after that, and does not have the event that is in the history: the cursor may have been set to the new binlog since. A binlog after a reset is known by the time at which its oldest file was begun when that was noticed, so
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
        boolean tellsFile = read != null && read.fileBegunSeconds() != 0;
        HistoryMark mark = isSame && tellsFile ? null : history.mark(entered);
        boolean isDoubtful = !isContinued && !isSame;
        long found = find(known, mark, isDoubtful, start, read, connection);
        isNew = found > known || isSame && isNew;
        epoch = Math.max(known, found);
        server = entered;
        history.setSource(entered, epoch);
        if (found > known) {
            LOG.warn(
                    "the source's binlog was reset, what the schema history has of it is of an older one: instance={} start={}",
                    instance,
                    start);
        }
        return found != CONTINUED;
    }

    private static long find(
            long known,
            @Nullable HistoryMark mark,
            boolean isDoubtful,
            DumpStart start,
            @Nullable DumpStart read,
            SourceConnection connection)
            throws IOException {
        try {
            BinlogScan scan = connection.scan();
            List<ServerFacts.File> files = connection.facts().files();
            boolean wasReset = read != null && isOther(read, files, scan)
                    || mark != null && (isMissing(mark.file(), files) || isDoubtful && isReplaced(mark, files, scan));
            if (!wasReset || !start.byGtids() && isOther(start, files, scan)) { // which cannot be read
                return CONTINUED;
            }
            long begun = scan.begunSeconds(files.get(0).name());
            return begun >= known ? Math.max(1, begun) : known + 1;
        } catch (ServerErrorException e) {
            if (!DumpCheck.isRejection(e)) {
                throw e;
            }
            return CONTINUED; // a reset is not noticed then
        }
    }

    /** Whether a position is in a file that the server does not have, or not any more under that name. Purged files are not. */
    private static boolean isOther(DumpStart point, List<ServerFacts.File> files, BinlogScan scan) throws IOException {
        BinlogPosition position = point.position();
        if (position == null || !position.isKnown()) {
            return false;
        }
        for (ServerFacts.File file : files) {
            if (file.name().equals(position.file())) {
                long begun = point.fileBegunSeconds() == 0 ? 0 : scan.begunSeconds(file.name());
                return begun != 0 && begun != point.fileBegunSeconds();
            }
        }
        return isMissing(position.file(), files);
    }

    /**
     * Whether a file has the name of one that is in the history, and is another one. A statement may be older than the file that it is in: it began before that, or its session
     * has set the time. So the event itself counts. A file that was only cut off, in a crash of the source, is the same one.
     */
    private static boolean isReplaced(HistoryMark mark, List<ServerFacts.File> files, BinlogScan scan)
            throws IOException {
        boolean isThere = files.stream().anyMatch(file -> file.name().equals(mark.file()));
        return isThere
                && mark.end().isPresent()
                && mark.timeMillis() != 0
                && scan.begunSeconds(mark.file()) >= mark.timeMillis() / MILLIS
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

    /** Whether a file is not there and was not purged: it is newer than the newest one, or its name is of another series. */
    private static boolean isMissing(String file, List<ServerFacts.File> files) {
        if (files.stream().anyMatch(one -> one.name().equals(file))) {
            return false;
        }
        OptionalInt order =
                BinlogPosition.compareFiles(file, files.get(files.size() - 1).name());
        return order.isEmpty() || order.getAsInt() > 0;
    }
}
