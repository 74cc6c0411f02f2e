package io.sluice.schema.history.restore;

import io.sluice.protocol.time.Time;
import io.sluice.schema.history.rows.HistoryFileKey;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.history.rows.HistorySnapshot;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.RowPosition;
import io.sluice.schema.history.rows.StreamStart;
import java.io.IOException;
import java.time.Duration;
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

    /** After so many files without a row of the binlog, those of other sources are left out: there may be thousands of a former source. */
    private static final int FILES_OF_OTHERS = 10;

    private final HistoryTables tables;
    private final Time time;
    private final HistoryScan scan;

    public RecordedDdl(HistoryTables tables, Time time) {
        this.tables = tables;
        this.time = time;
        this.scan = new HistoryScan(tables);
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

    /** Whether there is one with an id below another. */
    boolean reaches(StreamStart start, long belowId) throws IOException {
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            HistoryPosition position = snapshot.position();
            if (!position.isFirst() && snapshot.id() < belowId && isReached(start, position)) {
                return true;
            }
        }
        if (start.file().isEmpty()) {
            return false; // offsets cannot be compared
        }
        for (HistoryFileKey file : scan.filesNewestFirst()) {
            boolean isLater = HistoryPosition.compareFiles(file.file(), start.file()) >= 0;
            if ((isLater || start.byTransactions())
                    && scan.lastRow(file, row -> row.id() < belowId && isReached(start, row.position())) != null) {
                return true;
            }
        }
        return false;
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
        for (HistoryFileKey file : scan.filesNewestFirst()) {
            if (scan.lastRow(file, row -> !row.position().source().isEmpty()) != null) {
                return false;
            }
        }
        return true;
    }

    /**
     * When canal has closed the file from which all of it was imported, in milliseconds since the epoch: DDL that canal read later is not in it.
     *
     * @return 0 if canal had not closed the file, so that DDL may be missing that canal read last; empty if this history is not canal's, or was not imported
     * @throws IOException if its server cannot be reached
     */
    public OptionalLong closedByCanalMillis() throws IOException {
        OptionalLong closed = tables.identity().importedClosedMillis();
        return closed.isPresent() && isOfCanal() ? closed : OptionalLong.empty();
    }

    /**
     * The position of what was written last: a row, or if there is none, a snapshot. All DDL that canal had read before is in a history that
     * {@linkplain #isOfCanal canal has written}.
     *
     * @return null if there is nothing but the snapshot with which the history began
     * @throws IOException if its server cannot be reached
     */
    public @Nullable HistoryPosition newest() throws IOException {
        RowPosition row = scan.newestRow(Long.MAX_VALUE, 0, position -> true);
        if (row != null) {
            return row.position();
        }
        List<HistorySnapshot> snapshots = tables.snapshots().all();
        HistoryPosition newest =
                snapshots.isEmpty() ? null : snapshots.get(snapshots.size() - 1).position();
        return newest == null || newest.isFirst() ? null : newest;
    }

    /**
     * The newest position of a binlog up to which this history knows its DDL.
     *
     * <p>All DDL before that position is known, unless the history was begun, or reading was continued, after it. DDL after it may be
     * missing. Rows of canal are not considered, since canal does not store from which server it read them, nor are those whose events the source has lost.
     *
     * @return null if nothing is known of the binlog but the snapshot with which the history began
     * @throws IOException if its server cannot be reached
     */
    public @Nullable HistoryEnd end(String source, long epoch) throws IOException {
        return end(source, epoch, position -> true);
    }

    /** The newest position of a binlog that meets a condition, up to which this history knows its DDL. */
    @Nullable HistoryEnd end(String source, long epoch, Predicate<HistoryPosition> condition) throws IOException {
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
        for (HistoryFileKey file : scan.filesNewestFirst()) {
            if (newest != null && HistoryPosition.compareFiles(file.file(), newest.file()) < 0) {
                break;
            }
            if (ofSource != null && !ofSource.contains(file)) {
                continue;
            }
            HistoryRow row = scan.lastRow(
                    file,
                    candidate -> !candidate.isLost()
                            && candidate.position().isIn(source, epoch)
                            && condition.test(candidate.position()));
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
        RowPosition newest = scan.newestRow(
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
}
