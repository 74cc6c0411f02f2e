package io.sluice.stream.source.schema;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.restore.HistoryBeginnings;
import io.sluice.schema.history.restore.HistoryEnd;
import io.sluice.schema.history.restore.HistorySkip;
import io.sluice.schema.history.restore.RecordedDdl;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.reader.DdlReplay;
import io.sluice.stream.source.search.BinlogOrder;
import io.sluice.stream.source.search.BoundarySearch;
import io.sluice.stream.source.search.DumpCheck;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines whether a schema history has all DDL before a start position, and reads the missing DDL from the binlog.
 *
 * <p>It has, if the cursor refers to a row that the history holds, and was not moved since. A cursor without a reference is canal's, whose
 * history is written before its cursor, and is complete unless it is of a file that canal had not closed since. In every other case the history ends somewhere, and
 * the DDL from there to the start position is in the binlog. For one thread.
 */
final class HistoryGap {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryGap.class);
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    /** What is left of the difference between the clock of the source and that of canal's machine, for which this one is taken. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

    private final String instance;
    private final SchemaHistory history;
    private final RecordedDdl recorded;
    private final HistoryBeginnings beginnings;
    private final long epoch;
    private final SourceConnection connection;
    private final Time time;

    /** @param epoch which binlog of the host it is, as in {@link SchemaHistory#setSource(String, long)} */
    HistoryGap(String instance, SchemaHistory history, long epoch, SourceConnection connection, Time time) {
        this.instance = instance;
        this.history = history;
        this.recorded = history.recorded();
        this.beginnings = history.beginnings();
        this.epoch = epoch;
        this.connection = connection;
        this.time = time;
    }

    /** How much of the DDL before a start position is known. */
    sealed interface Extent {
        /** Why not all of it is known; empty if it is. */
        String why();

        /** All of it. */
        record Complete() implements Extent {
            @Override
            public String why() {
                return "";
            }
        }

        /**
         * All of it up to a position in the binlog of the host.
         *
         * @param knowsEventThere whether the effect of an event that begins at the position is known, too
         */
        record UpTo(BinlogPosition position, boolean knowsEventThere, String why) implements Extent {}

        /** The start has passed what follows its position, in one of its domains. */
        record Apart(String why) implements Extent {}

        /** It cannot be determined. */
        record Unknown(String why) implements Extent {}
    }

    /**
     * Determines up to which position the history is complete.
     *
     * @param cursor where the stream got to; null if it begins elsewhere
     * @param isHeld whether the history had what the cursor refers to when it was opened
     */
    Extent extent(DumpStart start, @Nullable Cursor cursor, boolean isHeld) throws IOException {
        SchemaReference reference = cursor == null ? null : cursor.schema();
        HistoryEnd end = recorded.end(connection.facts().identity(), epoch);
        if (cursor != null && reference == null && recorded.isOfCanal()) {
            String doubt = doubtOfCanal(cursor);
            if (doubt != null) {
                return extentOfCanal(start, doubt);
            }
            long newest = recorded.newestMillis();
            LOG.info(
                    "the schema history is canal's, and is taken to have all DDL before the cursor of canal: instance={} newestDdl={} cursor={}",
                    instance,
                    newest == 0 ? "none" : Instant.ofEpochMilli(newest),
                    Instant.ofEpochMilli(cursor.timestampMillis()));
            return new Extent.Complete();
        }
        String why;
        BinlogPosition completeTo = null;
        if (cursor == null) {
            why = "there is no cursor";
        } else if (reference == null) {
            why = "the cursor names no row of the history";
        } else if (!isHeld) {
            why = "the history does not have row %d of history %s, which the cursor was stored with"
                    .formatted(reference.rowId(), reference.historyId());
        } else if (reference.completeTo().equals(cursor.position())) {
            return new Extent.Complete();
        } else if (!reference.completeTo().isKnown()) {
            why = "the cursor was moved, and from which position of this server is not known";
        } else {
            why = "the cursor was moved from " + reference.completeTo();
            completeTo = connection.facts().isServerOf(cursor) ? reference.completeTo() : null;
        }
        BinlogPosition known = later(completeTo, end == null ? null : positionOf(end));
        BinlogPosition position = start.position();
        if (known == null || position == null || known.compareTo(position).isEmpty()) {
            return new Extent.Unknown(
                    why + ", and it is not known where the history ends in the binlog of this server");
        }
        if (isApart(start, known.isBefore(position) ? position : known)) {
            return new Extent.Apart(why + ", and in one of its domains to beyond what the history has");
        }
        if (!known.isBefore(position)) {
            return extentBeforeSkip(position, why);
        }
        long knownId = completeTo == null || reference == null ? 0 : reference.rowId();
        if (recorded.continuesElsewhere(connection.facts().identity(), epoch, knownId)) {
            return new Extent.Unknown(
                    why + ", and which DDL of this server was read from another one since is not known");
        }
        boolean isStartOfRow = end != null && end.end().isEmpty() && known.equals(positionOf(end));
        return new Extent.UpTo(known, isStartOfRow, why);
    }

    /**
     * Why the history of canal may lack DDL before the cursor. An operator may have set the cursor, which names the server then. H2 writes what is committed up to half
     * a second later, and canal stores its cursor meanwhile; and the file may be older than the cursor.
     *
     * @return null if it has all
     */
    private @Nullable String doubtOfCanal(Cursor cursor) throws IOException {
        if (!cursor.source().identity().isEmpty()) {
            return "the schema history is canal's, and the cursor is not";
        }
        OptionalLong closed = recorded.closedByCanalMillis();
        if (closed.isEmpty()) {
            return null;
        }
        long closedMillis = closed.getAsLong();
        if (closedMillis == 0) {
            return "canal did not close the file of its schema history, so that what it wrote last may be missing";
        }
        long aheadMillis = Math.max(0, connection.facts().clockMillis() - time.millis());
        return cursor.timestampMillis() - aheadMillis - closedMillis > CLOCKS_DIFFER.toMillis()
                ? "canal closed the file of its schema history at %s, and was at an event of %s"
                        .formatted(Instant.ofEpochMilli(closedMillis), Instant.ofEpochMilli(cursor.timestampMillis()))
                : null;
    }

    /** What canal has written is complete up to its newest row. */
    private Extent extentOfCanal(DumpStart start, String why) throws IOException {
        BinlogPosition position = start.position();
        HistoryPosition newest = recorded.newest();
        if (newest == null) {
            return new Extent.Unknown(
                    why + ", and there is no DDL in it that would show up to which position it is complete");
        }
        BinlogPosition known = position == null ? null : endOf(newest);
        if (known == null || position == null || known.compareTo(position).isEmpty()) {
            return new Extent.Unknown("%s, and its newest DDL, at %s:%d, is not in the binlog of this server"
                    .formatted(why, newest.file(), newest.offset()));
        }
        if (isApart(start, known.isBefore(position) ? position : known)) {
            return new Extent.Apart(why + ", and the start is in one of its domains beyond what it has");
        }
        return known.isBefore(position) ? new Extent.UpTo(known, false, why) : new Extent.Complete();
    }

    /** Where the event of a row of canal ends in the binlog; null if it is not in it. */
    private @Nullable BinlogPosition endOf(HistoryPosition row) throws IOException {
        StatementSearch search = new StatementSearch(row);
        try {
            connection.scan().scan(row.file(), search);
        } catch (ServerErrorException e) {
            if (!DumpCheck.isRejection(e)) {
                throw e;
            }
            LOG.debug("the newest DDL of canal cannot be looked up: instance={} row={}", instance, row, e);
        }
        return search.isFound() ? new BinlogPosition(row.file(), search.end()) : null;
    }

    /**
     * Whether the start has passed transactions that are after a position of the binlog: of a set of several domains, its position is where the first of them
     * continues, and the others may continue anywhere after that.
     */
    private boolean isApart(DumpStart start, BinlogPosition position) throws IOException {
        return start.byGtids()
                && start.executed() instanceof MariaDbGtidSet set
                && set.hasSeveralDomains()
                && !new BinlogOrder(instance, connection.facts(), connection.scan()).isBefore(set, position);
    }

    /** The history goes beyond the position, but a part before may have been skipped. */
    private Extent extentBeforeSkip(BinlogPosition position, String whyNot) throws IOException {
        HistorySkip skip = beginnings.skipAfter(connection.facts().identity(), epoch, position);
        if (skip == null) {
            return new Extent.Complete();
        }
        String why = whyNot + ", and DDL before " + skip.until() + " was not read";
        HistoryEnd end = skip.after();
        if (end == null) {
            return new Extent.Unknown(why);
        }
        BinlogPosition known = positionOf(end);
        return known.isBefore(position) ? new Extent.UpTo(known, end.end().isEmpty(), why) : new Extent.Complete();
    }

    private static BinlogPosition positionOf(HistoryEnd end) {
        return new BinlogPosition(end.file(), end.end().orElse(end.offset()));
    }

    private static @Nullable BinlogPosition later(@Nullable BinlogPosition one, @Nullable BinlogPosition other) {
        if (one == null) {
            return other;
        }
        return other != null && one.isBefore(other) ? other : one;
    }

    /**
     * Applies the DDL between what is known and a position of the host's binlog to a tracker, which writes it to the history.
     *
     * @return false if that part of the binlog cannot be read any more
     * @throws IOException if the host or the history cannot be reached
     */
    boolean close(Extent.UpTo known, BinlogPosition until, SchemaTracker tracker) throws IOException {
        LOG.warn(
                "the schema history ends before the start position, reading the DDL between both from the binlog: instance={} from={} until={} because={}",
                instance,
                known.position(),
                until,
                known.why());
        long rows = history.rowsWritten();
        try {
            replay(known, until, tracker);
        } catch (EOFException e) {
            throw ended(until, e);
        } catch (IOException | StreamException e) {
            if (isToBeTriedAgain(e)) {
                throw e;
            }
            LOG.warn(
                    "the DDL between the end of the schema history and the start position cannot be read: instance={} from={} until={} cause={}",
                    instance,
                    known.position(),
                    until,
                    e.getMessage());
            return false;
        }
        LOG.info(
                "the schema history reaches the start position now: instance={} start={} statements={}",
                instance,
                until,
                history.rowsWritten() - rows);
        return true;
    }

    /** The failure of a position that the binlog does not reach, as after an offset was edited by hand; the same if it reaches it by now. */
    private IOException ended(BinlogPosition until, EOFException cause) throws IOException {
        ServerFacts facts = connection.facts();
        try {
            BinlogPosition end = facts.end().position();
            if (end.isBefore(until)) {
                return new SourceException(
                        SourceFailure.PURGED,
                        "%s does not have the position %s: its binlog ends at %s"
                                .formatted(facts.address(), until, end),
                        cause);
            }
        } catch (ServerErrorException e) { // the account may not ask for it
            cause.addSuppressed(e);
        }
        return cause;
    }

    private void replay(Extent.UpTo known, BinlogPosition until, SchemaTracker tracker) throws IOException {
        ServerFacts facts = connection.facts();
        BinlogPosition boundary = boundary(known);
        GtidSet none = facts.mariaDb() ? MariaDbGtidSet.EMPTY : MySqlGtidSet.EMPTY;
        ServerAddress address = facts.address();
        SourceServer server = SourceServer.at(address.host(), address.port());
        try (DdlReplay replay = new DdlReplay(server, boundary, facts.hasGtids() ? none : null, tracker)) {
            new PartDumps(connection.scan(), facts.writesChecksums(), time)
                    .read(replay, until, new ProgressLines(until));
        }
    }

    /** A snapshot is made before a DDL, at the start of its event, which is after that of its transaction. */
    private BinlogPosition boundary(Extent.UpTo known) throws IOException {
        BinlogPosition from = known.position();
        BoundarySearch search = new BoundarySearch(from.offset());
        connection.scan().scan(from.file(), search);
        boolean isAtBoundary = search.isBoundary() && (known.knowsEventThere() || search.boundary() <= from.offset());
        return new BinlogPosition(from.file(), isAtBoundary ? search.boundary() : search.nearest());
    }

    private static boolean isToBeTriedAgain(Exception e) {
        return switch (FailureClassifier.of(e)) {
            case UNREACHABLE,
                    AUTHENTICATION,
                    NO_BINLOG,
                    HISTORY_UNREACHABLE,
                    HISTORY_UNUSABLE,
                    CURSOR_NOT_STORED,
                    INTERNAL -> true;
            case MISCONFIGURED,
                    LAGGING,
                    OTHER_SERVER,
                    PURGED,
                    DIVERGED,
                    DUPLICATE_SERVER_ID,
                    EVENT_TOO_LARGE,
                    CORRUPT,
                    REJECTED,
                    SCHEMA_MISMATCH,
                    XA_NOT_HELD,
                    TRANSACTION_NOT_HELD,
                    CURSOR_LOST,
                    UNSUPPORTED_EVENT,
                    FILTER_TOO_EXPENSIVE -> false;
        };
    }

    /** Shows how far a long replay has come. */
    private final class ProgressLines implements DdlReplay.Progress {
        private final BinlogPosition until;
        private long lineNanos = time.nanos();

        ProgressLines(BinlogPosition until) {
            this.until = until;
        }

        @Override
        public void reached(BinlogPosition reached) {
            if (time.nanos() - lineNanos >= BETWEEN_LINES.toNanos()) {
                lineNanos = time.nanos();
                LOG.info("reading DDL from the binlog: instance={} at={} until={}", instance, reached, until);
            }
        }
    }
}
