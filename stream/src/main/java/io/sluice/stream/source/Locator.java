package io.sluice.stream.source;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.LastEvent;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.position.SourceServer;
import io.sluice.stream.pipeline.StreamPipeline;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.source.schema.ChangedTablesException;
import io.sluice.stream.source.schema.StreamSchemas;
import io.sluice.stream.source.search.DumpCheck;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.search.HostCheck;
import io.sluice.stream.source.search.LostCursor;
import io.sluice.stream.source.search.LostEndException;
import io.sluice.stream.source.search.OffsetCheck;
import io.sluice.stream.source.search.Relocation;
import io.sluice.stream.source.search.StartFinder;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.GaleraNode;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import java.io.IOException;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the position from which a host is read, and moves the stream and its table schemas there.
 *
 * <p>The same server is read on from the boundary before the open transaction, and what was handed on of it is passed over. Another
 * server is read from the first transaction that was not read whole, which its GTIDs tell exactly, and else a time: the files of
 * two servers have nothing in common. For one thread.
 */
final class Locator {
    private static final Logger LOG = LoggerFactory.getLogger(Locator.class);

    private static final String OF_ANOTHER_SERVER = "its server_id is not that of the position";

    private final String name;
    private final SourceOptions source;
    private final @Nullable Cursor cursor;
    private final SourceListener listener;
    private final StreamSchemas schemas;
    private final StreamStages stages;
    private final DumpCheck check;
    private final OffsetCheck offsets = new OffsetCheck();
    /** The identities of servers that cannot be read by GTIDs, though they have some. */
    private final Set<String> withoutGtids = new HashSet<>();

    private @Nullable DumpStart last;
    /** The server that the last start position is of. */
    private volatile @Nullable String identity;
    /** The server that the transactions of the stream are known by, which may number them by itself. */
    private String gtidsOf = "";

    private Relocation relocation = Relocation.NONE;
    /** Whether the stream may begin without a cursor, as far as that was checked. */
    private boolean isNew;
    /** Whether the position where the stream begins is stored. */
    private boolean hasBegun;
    /** When the event before that position was written; 0 if that is not known. */
    private long begunMillis;
    /** Why the first host could not be read last; null if it was not tried, or was read. */
    private @Nullable Throwable failureOfFirst;
    /** Whether the stream was moved to the newest position, and no cursor can follow it there yet. */
    private boolean isResetPending;
    /** Whether the stream continues where it was, after it could not be moved to an earlier position. */
    private boolean isBackPending;
    /** When the stream was moved to the newest position, by the clock of its server: what was read or skipped is older; 0 if it was not. */
    private long resetMillis;

    /** @param cursor where the last run got to; null if there was none */
    Locator(
            String name,
            SourceOptions source,
            @Nullable Cursor cursor,
            SourceListener listener,
            StreamSchemas schemas,
            StreamStages stages) {
        this.name = name;
        this.source = source;
        this.cursor = cursor;
        this.listener = listener;
        this.schemas = schemas;
        this.stages = stages;
        this.check = new DumpCheck(name);
    }

    /**
     * Finds where to read a host from, checks that it can be, and moves the stream there.
     *
     * @param onFailure wakes the thread that waits for the source when a later stage has failed
     */
    DumpStart locate(SourceHost host, SourceConnection connection, Runnable onFailure)
            throws IOException, InterruptedException {
        ServerFacts facts = connection.facts();
        HostCheck.requireBinlog(facts);
        SourceServer server = facts.server(); // asked before anything is moved
        schemas.searchIn(connection);
        String found = server.identity();
        boolean hasGtids = facts.hasGtids() && !withoutGtids.contains(found);
        EventReader open = stages.reader();
        boolean isSame = found.equals(identity);
        if (relocation instanceof Relocation.ToBoundaryBefore before
                && !before.identity().equals(found)) {
            relocation = Relocation.NONE;
        }
        if (relocation instanceof Relocation.PastLostEnd past
                && !past.identity().equals(found)) {
            relocation = Relocation.NONE;
        }
        DumpStart kept = open != null && isSame && relocation == Relocation.NONE ? kept(open, hasGtids) : null;
        StartFinder finder = new StartFinder(
                name,
                source.positions(),
                host.start(),
                source.hosts().size() == 1,
                facts,
                connection.scan(),
                hasGtids,
                schemas::beginningMillis,
                offsets);
        boolean isContinued = hasGtids && GaleraNode.areGtidsShared(gtidsOf, found);
        DumpStart wanted = kept == null ? elsewhere(host, open, finder, isSame, isContinued) : kept;
        DumpStart required = require(wanted, open, facts, connection);
        boolean isOtherSet = !required.equals(wanted) && (open == null || open.undecidedStart() == null);
        DumpStart next =
                schemas.enter(required, readThere(open, facts, isSame), open == null ? cursor : null, connection);
        if (kept == null || isOtherSet) {
            move(next, server, connection, isSame, finder.hasGoneBack(), onFailure);
        } else if (schemas.areTorn()) { // for a start elsewhere, which has failed
            schemas.restoreEarlier(next, connection);
            isBackPending = open != null && open.undecidedStart() == null;
        }
        identity = found;
        last = next;
        schemas.setSource(next, connection);
        if (!hasBegun) {
            listener.onStart(first(next, server, schemas.reference()).cursor());
            hasBegun = true;
            failureOfFirst = null;
        }
        if (isResetPending) {
            // Otherwise a restart before the next event would be a reset, too, and lose what comes until then.
            Boundary newest = first(next, server, schemas.reference());
            listener.onReset(newest.cursor());
            Objects.requireNonNull(stages.pipeline(), "a start position without a pipeline")
                    .checkpoint(newest);
            isResetPending = false;
        }
        if (isBackPending) { // the cursors may be where the stream did not get to
            Objects.requireNonNull(stages.pipeline(), "a start position without a pipeline")
                    .checkpoint(first(next, server, schemas.reference()));
            isBackPending = false;
        }
        return next;
    }

    private DumpStart require(
            DumpStart wanted, @Nullable EventReader open, ServerFacts facts, SourceConnection connection)
            throws IOException {
        try {
            return check.require(wanted, readMillis(open), facts, connection.scan());
        } catch (LostEndException e) {
            Boundary undecided = open == null ? null : open.undecidedStart();
            throw undecided == null ? e : e.beforeUndecided(undecided.position());
        }
    }

    private void move(
            DumpStart next,
            SourceServer server,
            SourceConnection connection,
            boolean isSame,
            boolean goesBack,
            Runnable onFailure)
            throws IOException, InterruptedException {
        EventReader reader = readerAt(next, server, connection, isSame, onFailure);
        if (goesBack) {
            goBack(next, server);
        }
        reader.startAt(
                new Boundary(
                        server,
                        next.byGtids() ? BinlogPosition.UNKNOWN : next.positionOrUnknown(),
                        next.executed(),
                        next.lastEvent().serverId(),
                        next.timeMillis(),
                        null,
                        next.byGtids() ? 0 : next.fileBegunSeconds()),
                source.positions().showsGtids());
        if (next.byGtids()) {
            reader.expectNothingBefore(next.positionOrUnknown(), next.fileBegunSeconds());
        }
        gtidsOf = server.identity();
        isBackPending = false;
        if (relocation instanceof Relocation.ToNewest) {
            isResetPending = true;
            resetMillis = next.timeMillis();
        }
        relocation = Relocation.NONE;
        if (source.positions().showsGtids() && next.executed() == null) {
            LOG.warn(
                    "canal.instance.gtidon=true, but messages have no GTIDs, since not every transaction at the source has one: set gtid_mode=ON there:"
                            + " instance={} start={} gtid_mode={}",
                    name,
                    next,
                    connection.facts().gtidMode());
        }
    }

    /** The reader, with the table schemas of a start. */
    private EventReader readerAt(
            DumpStart next, SourceServer server, SourceConnection connection, boolean isSame, Runnable onFailure)
            throws IOException {
        EventReader reader = stages.reader();
        try {
            if (reader == null) {
                boolean isAtCursor = relocation == Relocation.NONE
                        || relocation instanceof Relocation.ToBoundaryBefore
                        || isContinuedPastLostEnd();
                reader = stages.open(next, connection, isAtCursor ? cursor : null, onFailure);
                last = next; // a further attempt finds the reader there, or another host is read from that time on
                begunMillis = next.timeMillis();
                gtidsOf = server.identity();
            } else {
                boolean isContinued = continues(reader, next) && GaleraNode.areGtidsShared(gtidsOf, server.identity());
                moveSchemas(isContinued, next, connection, isSame);
            }
            return reader;
        } catch (ChangedTablesException e) {
            if (relocation
                    instanceof Relocation.ToNewest) { // the next attempt is at a newer position, after these changes
                throw new SourceException(
                        SourceFailure.REJECTED,
                        "tables were changed while they were read for the newest position, so a newer one is taken: "
                                + e.getMessage(),
                        "nothing is to be done, unless this is repeated: then wait until tables are changed less often",
                        e);
            }
            throw e;
        }
    }

    /** Has the cursors go back, too: a restart before what comes again is acknowledged must begin there. */
    private void goBack(DumpStart to, SourceServer server) throws IOException, InterruptedException {
        try {
            StreamPipeline pipeline = stages.pipeline();
            if (pipeline != null) {
                pipeline.drain();
            }
            listener.onGoBack(first(to, server, schemas.reference()).cursor());
        } catch (IOException | InterruptedException e) {
            schemas.tear(); // they are of that position already
            throw e;
        }
    }

    /** The boundary where the stream begins. */
    private static Boundary first(DumpStart start, SourceServer server, @Nullable SchemaReference schema) {
        return new Boundary(
                server,
                start.positionOrUnknown(),
                start.executed(),
                start.lastEvent().serverId(),
                start.timeMillis(),
                schema,
                start.fileBegunSeconds());
    }

    /**
     * If the binlog is requested by GTIDs, nothing is read twice or skipped; otherwise the schemas must be those of the new start position.
     */
    private void moveSchemas(boolean isContinued, DumpStart next, SourceConnection connection, boolean isSame)
            throws IOException {
        boolean isElsewhere = !isContinued && !isContinuedPastLostEnd() && (relocation != Relocation.NONE || !isSame);
        boolean isUnrecordedLoss = relocation instanceof Relocation.PastLostEnd && !schemas.areRecorded();
        if (isUnrecordedLoss) {
            LOG.warn(
                    "without a schema history it is not known whether DDL was in the lost end of the file, so all tables have the schemas that the source has now:"
                            + " instance={} start={}",
                    name,
                    next);
        }
        if (relocation instanceof Relocation.ToNewest || isUnrecordedLoss || schemas.isBeginningLost()) {
            schemas.alignWithSource(next, connection);
        } else if (isElsewhere || schemas.areTorn()) {
            schemas.restoreEarlier(next, connection);
        }
    }

    private boolean isContinuedPastLostEnd() {
        return relocation instanceof Relocation.PastLostEnd past && past.isContinuous();
    }

    /** Whether exactly the transactions come that were not read; a start position that was found by time has GTIDs, too. */
    private static boolean continues(EventReader reader, DumpStart next) {
        GtidSet read = reader.executed();
        return next.byGtids() && read != null && read.equals(next.executed());
    }

    /** Up to where this server was read before; null if it was not, or that is not known. */
    private @Nullable DumpStart readThere(@Nullable EventReader open, ServerFacts facts, boolean isSame)
            throws IOException {
        if (open != null) {
            return isSame
                    ? DumpStart.at(open.resumePosition(), LastEvent.UNKNOWN)
                            .inFileBegunAt(open.resumeFileBegunSeconds())
                    : null;
        }
        return cursor != null && facts.isServerOf(cursor)
                ? DumpStart.at(cursor.position(), LastEvent.UNKNOWN).inFileBegunAt(cursor.fileBegunSeconds())
                : null;
    }

    /**
     * When the newest event was written that was read, so that no transaction that was read is newer; 0 if that is not known, or nothing is
     * continued.
     */
    private long readMillis(@Nullable EventReader open) {
        if (relocation != Relocation.NONE) {
            return 0;
        }
        long read = passedUpToMillis(open);
        if (open != null && read > 0) {
            return Math.max(
                    read, open.counters().lastEventMillis()); // a long statement is older than what it ended after
        }
        if (cursor != null) {
            return DumpCheck.readMillis(cursor);
        }
        return last == null ? 0 : last.timeMillis();
    }

    /** When the newest event was written that was read or skipped, as far as this run knows; 0 if there is none. */
    private long passedUpToMillis(@Nullable EventReader open) {
        return Math.max(open == null ? 0 : open.lastRead().millis(), resetMillis);
    }

    /** Where the server that was read before is read on; null if the reader has to be moved for that. */
    private @Nullable DumpStart kept(EventReader open, boolean hasGtids) {
        DumpStart before = last;
        BinlogPosition position = open.resumePosition();
        GtidSet executed = open.executed();
        LastEvent read = open.readUpTo();
        long begunSeconds = open.resumeFileBegunSeconds();
        if (read.millis() <= resetMillis && before != null) { // no transaction was read yet
            read = before.lastEvent();
            boolean isOfFile = !position.isKnown()
                    || position.file().equals(before.positionOrUnknown().file());
            begunSeconds = isOfFile ? before.fileBegunSeconds() : begunSeconds;
        }
        if (executed != null && hasGtids) {
            BinlogPosition known = position.isKnown() || before == null ? position : before.position();
            return DumpStart.after(known, executed, read).inFileBegunAt(begunSeconds);
        }
        return position.isKnown() ? DumpStart.at(position, read).inFileBegunAt(begunSeconds) : null;
    }

    /** Where a server is read that was not read before, or not from there. */
    private DumpStart elsewhere(
            SourceHost host, @Nullable EventReader open, StartFinder finder, boolean isSame, boolean continuesGtids)
            throws IOException {
        if (relocation instanceof Relocation.ToNewest) {
            return finder.newest();
        }
        if (relocation instanceof Relocation.PastLostEnd past) {
            Boundary undecided = open == null ? null : open.undecidedStart();
            return undecided != null && undecided.position().equals(past.start())
                    ? at(undecided)
                    : finder.beginningOf(past.start().file());
        }
        if (relocation instanceof Relocation.ByTime byTime) {
            return finder.since(known(open), byTime.why());
        }
        if (relocation instanceof Relocation.ToBoundaryBefore before) {
            Boundary undecided = open == null ? null : open.undecidedStart();
            return undecided == null
                    ? finder.boundaryBefore(before.position()).inFileBegunAt(last == null ? 0 : last.fileBegunSeconds())
                    : at(undecided);
        }
        if (open == null) {
            if (cursor != null) {
                return finder.from(cursor);
            }
            requireStartHere(host);
            requireCursor(finder);
            return finder.fromConfiguration();
        }
        Boundary undecided = open.undecidedStart();
        GtidSet executed = undecided == null ? open.executed() : undecided.executed();
        if (executed != null && continuesGtids) {
            return undecided == null
                    ? DumpStart.after(null, executed, resumed(open))
                    : DumpStart.after(null, executed, undecided.lastEvent());
        }
        DumpStart before = last;
        if (before != null && before.position() != null && isSame) { // nothing came from there yet
            return DumpStart.at(before.position(), before.lastEvent()).inFileBegunAt(before.fileBegunSeconds());
        }
        boolean hasRead = undecided != null || open.hasReadTransaction() || resetMillis > 0;
        return !hasRead && cursor == null
                ? finder.fromConfigurationOrSince(known(open).millis())
                : finder.since(known(open), "the server is not the one that was read before");
    }

    private static DumpStart at(Boundary boundary) {
        return DumpStart.at(boundary.position(), boundary.lastEvent()).inFileBegunAt(boundary.fileBegunSeconds());
    }

    /**
     * Checks that a host without a start of its own is not one after a host for which a position is configured. That position is one of the other host's
     * files, and was not found there, so the newest position here would skip what came since.
     */
    private void requireStartHere(SourceHost host) throws SourceException {
        SourceHost first = source.hosts().get(0);
        ConfiguredStart.At at = host.lacksStartBeside(first);
        if (at == null) {
            return;
        }
        Throwable known = failureOfFirst;
        Throwable cause = known == null
                ? new SourceException(SourceFailure.UNREACHABLE, first.login().address() + " was not tried yet")
                : known;
        throw new SourceException(
                FailureClassifier.of(cause),
                "reading is to begin at %s of %s, which cannot be read: %s; %s has other files, and its newest position would skip what came since"
                        .formatted(
                                at.point(),
                                first.login().address(),
                                cause.getMessage(),
                                host.login().address()),
                ("%s; or configure where to begin at this host (canal.instance.standby.journal.name, which may be latest, .timestamp or .gtid), or at all hosts"
                                + " (canal.instance.master.timestamp without journal.name and position)")
                        .formatted(FailureClassifier.remedy(cause)),
                cause);
    }

    /** Notes why a host cannot be read. */
    void failed(SourceHost host, Throwable cause) {
        if (!hasBegun && host.equals(source.hosts().get(0))) {
            failureOfFirst = cause;
        }
    }

    /**
     * Checks that a start at the newest position skips nothing. A history that this process has begun must not count at a further attempt, so
     * this is checked once.
     */
    private void requireCursor(StartFinder finder) throws IOException {
        LostCursor reaction = source.positions().lostCursor();
        if (reaction == LostCursor.NONE || isNew || !finder.beginsAtNewest()) {
            return;
        }
        isNew = !schemas.wasRead();
        if (isNew) {
            return;
        }
        if (reaction == LostCursor.STOP) {
            throw new SourceException(
                    SourceFailure.CURSOR_LOST,
                    "there is no cursor, and the schema history shows that this instance was read before: beginning at the newest"
                            + " position would skip what came since then");
        }
        LOG.warn(
                "there is no cursor, though the schema history shows that this instance was read before; beginning at the newest position, what"
                        + " came since then is skipped: instance={}",
                name);
        isNew = true;
    }

    /** The event before the position from which the reader resumes. */
    private LastEvent resumed(EventReader open) {
        LastEvent read = open.readUpTo();
        DumpStart before = last;
        if (read.millis() > 0) {
            return read;
        }
        return new LastEvent(before == null ? known(open).millis() : before.timeMillis(), read.serverId());
    }

    /** The newest event that was read and need not be read again. */
    private LastEvent known(@Nullable EventReader open) {
        Boundary undecided = open == null ? null : open.undecidedStart();
        if (undecided != null) {
            return undecided.lastEvent();
        }
        long read = passedUpToMillis(open);
        if (read > 0) {
            LastEvent event = open == null ? LastEvent.UNKNOWN : open.lastRead();
            return event.millis() > resetMillis ? event : new LastEvent(read, 0); // up to then, events were skipped
        }
        return cursor == null ? new LastEvent(begunMillis, 0) : cursor.lastEvent();
    }

    /** Where reading began last, or is to begin; null if that was never found out. */
    @Nullable DumpStart sought() {
        if (last != null || cursor == null || !cursor.position().isKnown()) {
            return last;
        }
        return DumpStart.at(cursor.position(), cursor.lastEvent());
    }

    /** The identity of the server that was read last; null if there is none. May be called by any thread. */
    @Nullable String identity() {
        return identity;
    }

    /** Stops requesting by GTIDs from the server that was read last. */
    void stopUsingGtids() {
        String server = identity;
        if (server != null) {
            withoutGtids.add(server);
        }
    }

    /** Continues at the newest position, whatever is lost. */
    void relocateToNewest() {
        relocation = new Relocation.ToNewest();
    }

    /** Continues after the end of a file that the server has lost; by time, if the position is probably one of another server. */
    void relocatePast(LostEndException lost) {
        relocation = lost.isProbablyOfAnotherServer()
                ? new Relocation.ByTime(lost.getMessage() + "; " + OF_ANOTHER_SERVER)
                : new Relocation.PastLostEnd(lost.start(), lost.identity(), lost.isContinuous());
    }

    /** Continues at the boundary before an event that is within a transaction; false if reading began at a boundary. */
    boolean relocateBefore(BinlogPosition within) {
        DumpStart start = last;
        String server = identity;
        if (start == null
                || start.byGtids()
                || server == null
                || !within.file().equals(start.positionOrUnknown().file())) {
            return false;
        }
        relocation = new Relocation.ToBoundaryBefore(within, server);
        return true;
    }

    /**
     * Whether a server is probably not the one whose position it is: its {@code server_id} is not that of the last event. False if that has led to
     * reading by time already, since a chain of replicas passes on the ids of other servers.
     */
    boolean isOfAnotherServer(ServerFacts facts) throws IOException {
        EventReader open = stages.reader();
        long read = open == null ? 0 : open.readUpTo().serverId();
        long ofCursor = cursor == null ? 0 : cursor.serverId();
        LastEvent before = new LastEvent(known(open).millis(), read == 0 ? ofCursor : read);
        boolean isByFile = last == null || !last.byGtids();
        return isByFile && !(relocation instanceof Relocation.ByTime) && HostCheck.isProbablyOther(before, facts);
    }

    /** Continues by time, since the position is one of another server. */
    void relocateByTime() {
        relocation = new Relocation.ByTime(OF_ANOTHER_SERVER);
    }

    /** Continues where the stream is. */
    void endRelocation() {
        relocation = Relocation.NONE;
    }
}
