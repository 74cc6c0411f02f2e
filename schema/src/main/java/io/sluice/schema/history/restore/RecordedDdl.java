package io.sluice.schema.history.restore;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.Time;
import io.sluice.schema.history.rows.HistoryFileKey;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.history.rows.HistorySnapshot;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.RowPosition;
import io.sluice.schema.history.rows.SkippedPart;
import io.sluice.schema.history.rows.StreamStart;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Of which binlogs a history has DDL, and how far it reaches in them, from its newest rows backwards: as it is in the database now, to which another server
 * of the cluster may have written.
 *
 * <p>A binlog is that of a source, by its {@code server_uuid} or what it is identified by instead, from reset to reset, which an epoch counts. For one
 * thread.
 */
public final class RecordedDdl {
    /** A first start that fails is tried again within this time. */
    private static final Duration FIRST_START = Duration.ofHours(1);

    private static final int ROWS_PER_PAGE = 100;

    /** Of ids and positions. */
    private static final int KEYS_PER_PAGE = 1_000;

    /** After so many files without a row of the binlog, those of other sources are left out: there may be thousands of a former source. */
    private static final int FILES_OF_OTHERS = 10;

    /** A condition of rows. */
    private interface RowCondition {
        boolean test(HistoryRow row) throws IOException;
    }

    private final HistoryTables tables;
    private final Time time;

    public RecordedDdl(HistoryTables tables, Time time) {
        this.tables = tables;
        this.time = time;
    }

    /**
     * Whether nothing was ever written.
     *
     * @throws IOException if its server cannot be reached
     */
    public boolean isEmpty() throws IOException {
        return tables.snapshots().isEmpty();
    }

    /**
     * Whether the stream was read with this history, so that it had a cursor: there is a row, or the history was begun more than
     * an hour ago, or that far in the future, while the clock was ahead. A younger one may be of a first start that ended before the cursor was stored.
     *
     * @throws IOException if its server cannot be reached
     */
    public boolean wasRead() throws IOException {
        if (!tables.rows().files().isEmpty()) {
            return true;
        }
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            if (!snapshot.position().isFirst() && isOld(snapshot)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOld(HistorySnapshot snapshot) {
        long now = time.millis();
        if (snapshot.writtenMillis() == 0) {
            return snapshot.position().timeMillis() < now - FIRST_START.toMillis(); // by the source's clock
        }
        return Math.abs(now - snapshot.writtenMillis()) > FIRST_START.toMillis();
    }

    /**
     * When the newest event was written that has something in it, in milliseconds since the epoch, whatever the binlog.
     *
     * @return 0 if nothing with a time was written
     * @throws IOException if its server cannot be reached
     */
    public long newestMillis() throws IOException {
        return tables.newestMillis();
    }

    /**
     * The newest binlog of a source in which something was written, from reset to reset.
     *
     * @return 0 if no reset is known
     * @throws IOException if its server cannot be reached
     */
    public long newestEpoch(String source) throws IOException {
        return tables.newestEpoch(source);
    }

    /** Whether there is a row or a snapshot at or after a position in the same binlog, so that all before that is known. */
    public boolean reaches(StreamStart start) throws IOException {
        return reaches(start, Long.MAX_VALUE);
    }

    /** The same with ids below one. */
    private boolean reaches(StreamStart start, long belowId) throws IOException {
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            HistoryPosition position = snapshot.position();
            if (!position.isFirst() && snapshot.id() < belowId && isReached(start, position)) {
                return true;
            }
        }
        if (start.file().isEmpty()) {
            return false; // offsets cannot be compared
        }
        for (HistoryFileKey file : newestFirst()) {
            boolean isLater = HistoryPosition.compareFiles(file.file(), start.file()) >= 0;
            if ((isLater || start.byTransactions())
                    && lastRow(file, row -> row.id() < belowId && isReached(start, row.position())) != null) {
                return true;
            }
        }
        return false;
    }

    /**
     * What was skipped before the newest beginning, if DDL of it may be missing for a stream that begins in another binlog. It may not if that
     * binlog was read beyond the start before that beginning. Otherwise where the start is among what was read before it and what was skipped is known by time
     * only.
     *
     * @param referredId the row to which the cursor at the start refers; 0 if there is none, or it does not count
     */
    SkippedPart skippedBefore(StreamStart start, long referredId) throws IOException {
        HistorySnapshot newest = newestBeginningElsewhere(start);
        return newest == null || wasReadBefore(newest, start, referredId)
                ? SkippedPart.NONE
                : SkippedPart.before(newest);
    }

    /** Whether a stream begins where its binlog was read before what was skipped before the newest beginning, which is in another one. */
    boolean returns(StreamStart start, long referredId) throws IOException {
        HistorySnapshot newest = newestBeginningElsewhere(start);
        return newest != null && wasReadBefore(newest, start, referredId);
    }

    private @Nullable HistorySnapshot newestBeginningElsewhere(StreamStart start) throws IOException {
        HistorySnapshot newest = start.byTransactions() ? null : newestBeginning();
        return newest == null || newest.position().isOfSameBinlog(start) ? null : newest;
    }

    private boolean wasReadBefore(HistorySnapshot beginning, StreamStart start, long referredId) throws IOException {
        return referredId > 0 && referredId < beginning.beginning() || reaches(start, beginning.beginning());
    }

    private @Nullable HistorySnapshot newestBeginning() throws IOException {
        HistorySnapshot newest = null;
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            if (snapshot.beginning() > (newest == null ? 0 : newest.beginning())) {
                newest = snapshot;
            }
        }
        return newest;
    }

    /**
     * When the event before the beginning of this history was written, or earlier, in milliseconds since the epoch: the newest one, if what was to be
     * read was skipped.
     *
     * @return 0 if that is not known: nothing was written, or canal has begun it
     * @throws IOException if its server cannot be reached
     */
    public long beginningMillis() throws IOException {
        HistorySnapshot newest = newestBeginning();
        HistorySnapshot beginning = beginning(newest == null ? 0 : newest.beginning());
        return beginning == null ? 0 : beginning.position().timeMillis();
    }

    /**
     * The oldest snapshot that has a position, from an id on: the DDL before it is not known. Null if there is none, or canal has written
     * the first one.
     */
    private @Nullable HistorySnapshot beginning(long fromId) throws IOException {
        HistorySnapshot oldest = null;
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            HistoryPosition position = snapshot.position();
            if (!position.isFirst() && snapshot.id() >= fromId) {
                if (oldest == null && position.source().isEmpty()) {
                    return null;
                }
                boolean isOlder = oldest == null
                        || position.timeMillis() < oldest.position().timeMillis();
                oldest = isOlder ? snapshot : oldest;
            }
        }
        return oldest;
    }

    /**
     * The beginning of this history, if the start is before it. Null if all DDL after the start is known, or that cannot be determined: the history
     * is canal's, or GTIDs decide what is read from another server.
     */
    @Nullable HistorySnapshot beginningAfter(StreamStart start, SkippedPart skipped) throws IOException {
        HistorySnapshot beginning = beginning(skipped.id());
        if (beginning == null || beginning.position().isAtOrBefore(start)) {
            return null;
        }
        return beginning.position().isOfSameBinlog(start) || !start.byTransactions() ? beginning : null;
    }

    private static boolean isReached(StreamStart start, HistoryPosition position) throws IOException {
        return position.isOfSameBinlog(start) && !position.isBefore(start);
    }

    /**
     * Whether canal has written all of it, so that no snapshot and no row names a source.
     *
     * @throws IOException if its server cannot be reached
     */
    public boolean isOfCanal() throws IOException {
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            if (!snapshot.position().source().isEmpty()) {
                return false;
            }
        }
        for (HistoryFileKey file : newestFirst()) {
            if (lastRow(file, row -> !row.position().source().isEmpty()) != null) {
                return false;
            }
        }
        return true;
    }

    /**
     * The newest position of a binlog up to which this history knows its DDL.
     *
     * <p>All DDL before that position is known, unless the history was begun, or reading was continued, after it. DDL after it may be
     * missing. Rows of canal are not considered, since canal does not store from which server it read them.
     *
     * @return null if nothing is known of the binlog but the snapshot with which the history began
     * @throws IOException if its server cannot be reached
     */
    public @Nullable HistoryEnd end(String source, long epoch) throws IOException {
        return end(source, epoch, position -> true);
    }

    /** The newest one that meets a condition. */
    private @Nullable HistoryEnd end(String source, long epoch, Predicate<HistoryPosition> condition)
            throws IOException {
        HistoryMark mark = mark(source, epoch, condition);
        return mark == null ? null : new HistoryEnd(source, mark.file(), mark.offset(), mark.end());
    }

    /**
     * What is at {@link #end}, by which a binlog after a reset can be told from the one before, whose names and offsets it has.
     *
     * @return null where {@link #end} is
     * @throws IOException if its server cannot be reached
     */
    public @Nullable HistoryMark mark(String source, long epoch) throws IOException {
        return mark(source, epoch, position -> true);
    }

    private @Nullable HistoryMark mark(String source, long epoch, Predicate<HistoryPosition> condition)
            throws IOException {
        HistoryMark newest = null;
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            HistoryPosition position = snapshot.position();
            if (!position.isFirst() && position.isIn(source, epoch) && condition.test(position)) {
                newest = later(
                        newest,
                        new HistoryMark(
                                position.file(),
                                position.offset(),
                                OptionalLong.of(position.offset()),
                                position.timeMillis(),
                                position.fileBegunSeconds(),
                                false));
            }
        }
        Set<HistoryFileKey> ofSource = null;
        int others = 0;
        for (HistoryFileKey file : newestFirst()) {
            if (newest != null && HistoryPosition.compareFiles(file.file(), newest.file()) < 0) {
                break;
            }
            if (ofSource != null && !ofSource.contains(file)) {
                continue;
            }
            HistoryRow row = lastRow(
                    file,
                    candidate -> candidate.position().isIn(source, epoch) && condition.test(candidate.position()));
            if (row == null && ++others == FILES_OF_OTHERS) {
                ofSource = tables.rows().filesOf(source);
            }
            if (row != null) {
                newest = later(
                        newest,
                        new HistoryMark(
                                row.position().file(),
                                row.position().offset(),
                                row.end(),
                                row.position().timeMillis(),
                                row.position().fileBegunSeconds(),
                                !row.isDefinition()));
            }
        }
        return newest;
    }

    /**
     * Up to where this history knows the DDL of a binlog before what was skipped after a position: {@link #end} states
     * nothing about a part that was skipped before it.
     *
     * @return null if nothing was skipped after the position, according to this history
     * @throws IOException if its server cannot be reached
     */
    public @Nullable HistorySkip skipAfter(String source, long epoch, BinlogPosition position) throws IOException {
        HistorySnapshot beginning = nextBeginning(source, epoch, position);
        return beginning == null
                ? null
                : new HistorySkip(
                        endBefore(beginning),
                        new BinlogPosition(
                                beginning.position().file(),
                                beginning.position().offset()));
    }

    /** The beginning that is nearest after a position in a binlog of a source, and before which something was skipped; null if there is none. */
    private @Nullable HistorySnapshot nextBeginning(String source, long epoch, BinlogPosition after)
            throws IOException {
        HistorySnapshot nearest = null;
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            HistoryPosition position = snapshot.position();
            if (snapshot.beginning() > 0
                    && position.isIn(source, epoch)
                    && compare(position, after) > 0
                    && (nearest == null || HistoryPosition.IN_BINLOG.compare(position, nearest.position()) < 0)
                    && !wasReadBeyond(snapshot)) {
                nearest = snapshot;
            }
        }
        return nearest;
    }

    /** Whether a stream has returned there: something of the binlog was read at or after a beginning before that. */
    private boolean wasReadBeyond(HistorySnapshot beginning) throws IOException {
        HistoryPosition begin = beginning.position();
        return newestId(
                        beginning.beginning(),
                        0,
                        position -> position.isIn(begin.source(), begin.epoch())
                                && HistoryPosition.IN_BINLOG.compare(position, begin) >= 0)
                > 0;
    }

    /**
     * The newest position before a beginning in its binlog, up to which its DDL is known; null if there is none, or another binlog was read after it and
     * before that beginning.
     */
    @Nullable HistoryEnd endBefore(HistorySnapshot beginning) throws IOException {
        String source = beginning.position().source();
        long epoch = beginning.position().epoch();
        long here = newestId(beginning.beginning(), 0, position -> position.isIn(source, epoch));
        long elsewhere = newestId(
                beginning.beginning(), here, position -> !position.source().isEmpty() && !position.isIn(source, epoch));
        return elsewhere > here
                ? null
                : end(source, epoch, position -> HistoryPosition.IN_BINLOG.compare(position, beginning.position()) < 0);
    }

    /** The newest id below one and above another of what meets a condition; 0 if nothing does. */
    private long newestId(long belowId, long aboveId, Predicate<HistoryPosition> condition) throws IOException {
        long newest = 0;
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            HistoryPosition position = snapshot.position();
            if (!position.isFirst() && snapshot.id() < belowId && snapshot.id() > aboveId && condition.test(position)) {
                newest = Math.max(newest, snapshot.id());
            }
        }
        RowPosition row = newestRow(belowId, Math.max(aboveId, newest), condition);
        return row == null ? newest : row.id();
    }

    /** The row with the newest id below one and above another that meets a condition; null if none does. */
    private @Nullable RowPosition newestRow(long belowId, long aboveId, Predicate<HistoryPosition> condition)
            throws IOException {
        long below = belowId;
        while (true) {
            List<RowPosition> rows = tables.rows().keysBackwards(below, aboveId, KEYS_PER_PAGE);
            for (RowPosition row : rows) {
                if (condition.test(row.position())) {
                    return row;
                }
                below = row.id();
            }
            if (rows.size() < KEYS_PER_PAGE) {
                return null;
            }
        }
    }

    private static int compare(HistoryPosition position, BinlogPosition other) {
        int order = HistoryPosition.compareFiles(position.file(), other.file());
        return order != 0 ? order : Long.compare(position.offset(), other.offset());
    }

    /**
     * Whether the stream was read on in another binlog after all that this history has of a binlog, so that DDL after {@link #end} may be known from there. What
     * canal has written is older than all else, and its ids are of no use: it numbers rows and snapshots separately.
     *
     * @param afterId the row to which a cursor refers, up to which all is known to be older; 0 for none
     * @throws IOException if its server cannot be reached
     */
    public boolean continuesElsewhere(String source, long epoch, long afterId) throws IOException {
        long newestHere = afterId;
        long newestElsewhere = 0;
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            if (!snapshot.position().isFirst() && !snapshot.position().source().isEmpty()) {
                if (snapshot.position().isIn(source, epoch)) {
                    newestHere = Math.max(newestHere, snapshot.id());
                } else {
                    newestElsewhere = Math.max(newestElsewhere, snapshot.id());
                }
            }
        }
        RowPosition newest = newestRow(
                Long.MAX_VALUE,
                Math.max(newestHere, newestElsewhere),
                position -> !position.source().isEmpty());
        return newest == null
                ? newestElsewhere > newestHere
                : !newest.position().isIn(source, epoch);
    }

    private static HistoryMark later(@Nullable HistoryMark one, HistoryMark other) {
        if (one == null) {
            return other;
        }
        int order = HistoryPosition.compareFiles(one.file(), other.file());
        if (order == 0) {
            order = Long.compare(one.end().orElse(one.offset()), other.end().orElse(other.offset()));
        }
        return order < 0 ? other : one;
    }

    private List<HistoryFileKey> newestFirst() throws IOException {
        List<HistoryFileKey> files = new ArrayList<>(tables.rows().files());
        Comparator<HistoryFileKey> byFile = (a, b) -> HistoryPosition.compareFiles(a.file(), b.file());
        files.sort(byFile.reversed());
        return files;
    }

    /** The last row of a file that meets a condition; null if none does. */
    private @Nullable HistoryRow lastRow(HistoryFileKey file, RowCondition condition) throws IOException {
        long below = Long.MAX_VALUE;
        while (true) {
            List<HistoryRow> rows = tables.rows().readBackwards(file, below, ROWS_PER_PAGE);
            for (HistoryRow row : rows) {
                if (condition.test(row)) {
                    return row;
                }
                below = row.position().offset();
            }
            if (rows.size() < ROWS_PER_PAGE) {
                return null;
            }
        }
    }
}
