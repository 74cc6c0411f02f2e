package io.sluice.stream.source.search;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.LastEvent;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.DumpError;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds where reading begins at one host: from a cursor, from the configuration, or from a time. For one thread. */
public final class StartFinder {
    private static final Logger LOG = LoggerFactory.getLogger(StartFinder.class);

    private final String name;
    private final PositionOptions rules;
    private final ConfiguredStart configured;
    private final boolean isOnlyHost;
    private final ServerFacts facts;
    private final BinlogScan scan;
    private final boolean hasGtids;
    private final HistoryBeginning history;
    private final OffsetCheck offsets;
    private boolean hasGoneBack;

    /** Tells when the schema history begins, in milliseconds since the epoch; 0 if that is not known, or there is none. */
    public interface HistoryBeginning {
        /** Asks the schema history. */
        long millis() throws IOException;
    }

    /**
     * Makes a finder.
     *
     * @param name the instance, for messages
     * @param configured where to begin at the host if there is no cursor
     * @param isOnlyHost whether the source has no other host
     * @param facts of the server that answers at the host
     * @param scan reads that server's binlog
     * @param hasGtids whether the binlog can be requested by GTIDs there
     * @param history what was written before it is left out after a start by time, where what was read is newer and of the same server
     * @param offsets keeps what it has found for the finders that follow
     */
    public StartFinder(
            String name,
            PositionOptions rules,
            ConfiguredStart configured,
            boolean isOnlyHost,
            ServerFacts facts,
            BinlogScan scan,
            boolean hasGtids,
            HistoryBeginning history,
            OffsetCheck offsets) {
        this.name = name;
        this.rules = rules;
        this.configured = configured;
        this.isOnlyHost = isOnlyHost;
        this.facts = facts;
        this.scan = scan;
        this.hasGtids = hasGtids;
        this.history = history;
        this.offsets = offsets;
    }

    /** Where to continue from a cursor. */
    public DumpStart from(Cursor cursor) throws IOException {
        boolean isHere = facts.isServerOf(cursor);
        if (!cursor.gtidSet().isEmpty() && rules.followsGtids() && hasGtids && facts.sharesGtidsOf(cursor)) {
            BinlogPosition position = isHere && cursor.position().isKnown() ? position(cursor) : null;
            GtidSet executed = parse(cursor.gtidSet());
            return logged(
                    "at the cursor, by its GTIDs",
                    DumpStart.after(position, executed, cursor.lastEvent())
                            .inFileBegunAt(position == null ? 0 : cursor.fileBegunSeconds()));
        }
        if (cursor.position().file().isBlank() && isHere) {
            ReplicatedChanges.warnUnlessLogged(name, facts);
            return searchSince(cursor.lastEvent(), "the cursor has a time only");
        }
        if (!isHere) {
            return since(
                    cursor.lastEvent(),
                    "the cursor is of another server, %s:%d %s"
                            .formatted(
                                    cursor.sourceHost(),
                                    cursor.sourcePort(),
                                    cursor.source().identity()));
        }
        requireSameFile(cursor);
        ReplicatedChanges.warnUnlessLogged(name, facts);
        BinlogPosition position = position(cursor);
        DumpStart byFile = DumpStart.at(position, cursor.lastEvent()).inFileBegunAt(cursor.fileBegunSeconds());
        SourceException wrong = cursor.fileBegunSeconds() == 0 ? wrongOffset(position, cursor.timestampMillis()) : null;
        if (wrong != null) {
            return sinceUnless(wrong, cursor);
        }
        return logged("at the cursor", withGtids(byFile, position, true, cursor.timestampMillis()));
    }

    /**
     * Where to continue from a cursor whose offset is within an event, and which may be one of another server: the address has led there.
     *
     * @throws SourceException {@code wrong} if it is certainly one of this server, if another host is to be tried first, or if no time is known
     */
    private DumpStart sinceUnless(SourceException wrong, Cursor cursor) throws IOException {
        boolean isKnownServer = !cursor.source().identity().isEmpty();
        boolean isOwnFile = isKnownServer && wrong.failure() != SourceFailure.PURGED;
        boolean isOfOther = cursor.serverId() != 0 && cursor.serverId() != facts.serverId();
        if (isOwnFile
                || !isOfOther
                || !isOnlyHost
                || cursor.timestampMillis() <= 0
                || isOfWriterBefore(position(cursor), cursor.serverId())) {
            boolean isCertain = isKnownServer || cursor.serverId() != 0 && !isOfOther;
            throw isCertain ? wrong : WrongOffset.ofAnyServer(wrong, cursor, rules.fallback());
        }
        try {
            return since(cursor.lastEvent(), wrong.getMessage() + "; its server_id is not that of the position");
        } catch (SourceException e) {
            if (e.failure() != SourceFailure.PURGED) {
                throw e;
            }
            throw WrongOffset.beforeBinlog(wrong, e); // which must not lead to the newest position
        }
    }

    /** Whether a server has written an event before a position: the events of a replica have the {@code server_id} of its source. */
    private boolean isOfWriterBefore(BinlogPosition position, long serverId) throws IOException {
        boolean[] found = {false};
        scan.scan(position.file(), (header, body, start, end) -> {
            found[0] = start < position.offset() && header.serverId() == serverId;
            return !found[0] && end < position.offset();
        });
        return found[0];
    }

    /**
     * Checks that the file is the one that the cursor is of. This comes before anything is searched in it: the stream finds out, too, but not
     * before the position was translated, and table schemas were read up to it.
     */
    private void requireSameFile(Cursor cursor) throws IOException {
        long seconds = cursor.fileBegunSeconds();
        if (seconds != 0) {
            HostCheck.requireSameFile(
                    cursor.position(),
                    seconds,
                    scan.begunSeconds(cursor.position().file()));
        }
    }

    private static BinlogPosition position(Cursor cursor) {
        BinlogPosition position = cursor.position();
        return new BinlogPosition(position.file(), Math.max(DumpRequest.FIRST_POSITION, position.offset()));
    }

    /** Whether reading begins at the end of the binlog without a cursor. */
    public boolean beginsAtNewest() {
        return configured.isNewest();
    }

    /** Where to begin without a cursor. */
    public DumpStart fromConfiguration() throws IOException {
        ReplicatedChanges.warnUnlessLogged(name, facts);
        if (configured instanceof ConfiguredStart.At at) {
            BinlogPosition position = at.point();
            if (at.gtidSet() == null) {
                requireEventAt(position);
                return logged("as configured", startAt(position));
            }
            WrittenBefore before = WrittenBefore.of(position, scan);
            if (!hasGtids) {
                requireEventAt(position);
            }
            return logged(
                    "as configured",
                    new DumpStart(
                            position,
                            parse(at.gtidSet()),
                            hasGtids,
                            new LastEvent(
                                    (hasGtids ? before.seconds() : before.startSeconds()) * 1000, before.serverId()),
                            before.fileBegunSeconds()));
        }
        if (configured instanceof ConfiguredStart.After after) {
            return logged("as configured, by GTIDs", DumpStart.after(null, parse(after.gtidSet()), LastEvent.UNKNOWN));
        }
        if (configured instanceof ConfiguredStart.Since since) {
            return logged("at the configured time", since(since));
        }
        if (configured instanceof ConfiguredStart.Earliest) {
            return logged("at the oldest transaction, as configured", earliest());
        }
        return logged(
                configured instanceof ConfiguredStart.Newest
                        ? "at the end of the binlog, as configured"
                        : "at the end of the binlog, since there is neither a cursor nor a configured position",
                newest());
    }

    private void requireEventAt(BinlogPosition position) throws IOException {
        SourceException wrong = wrongOffset(position, 0);
        if (wrong != null) {
            throw WrongOffset.configured(wrong);
        }
    }

    /**
     * What is wrong with a position that was not read, so that an event need not begin there; null if nothing is, as far as is known.
     *
     * @param readMillis when the last event before it was written; 0 if that is not known
     */
    private @Nullable SourceException wrongOffset(BinlogPosition position, long readMillis) throws IOException {
        LOG.info(
                "looking up in its file whether an event begins at the position: instance={} position={}",
                name,
                position);
        return offsets.failure(position, readMillis, facts, scan);
    }

    /**
     * Where to begin without a cursor when the stream has begun at another server already, and has read nothing: its end is later than that.
     *
     * @param begunMillis when the stream has begun, in milliseconds since the epoch; 0 if that is not known
     */
    public DumpStart fromConfigurationOrSince(long begunMillis) throws IOException {
        if (configured.isNewest() && begunMillis > 0) {
            return since(new LastEvent(begunMillis, 0), "the stream has begun at another server");
        }
        if (!hasGtids) {
            ReplicatedChanges.requireLogged(name, Instant.ofEpochMilli(begunMillis), isOnlyHost, facts);
        }
        return fromConfiguration();
    }

    /** The end of the binlog. */
    public DumpStart newest() throws IOException {
        long millis = facts.clockMillis() / 1000 * 1000;
        ServerFacts.End end = facts.end();
        GtidSet executed = end.executed();
        LastEvent now = new LastEvent(millis, facts.serverId());
        return executed != null && rules.followsGtids() && hasGtids
                ? DumpStart.after(end.position(), executed, now)
                        .inFileBegunAt(begunSecondsIfShown(end.position().file()))
                : DumpStart.at(end.position(), now)
                        .inFileBegunAt(scan.begunSeconds(end.position().file()));
    }

    /** When a file was begun; 0 if a server does not show that which sends its binlog by GTIDs. */
    private long begunSecondsIfShown(String file) throws IOException {
        try {
            return scan.begunSeconds(file);
        } catch (ServerErrorException e) {
            if (!GtidHistory.isRejection(e)) {
                throw e;
            }
            LOG.debug("it is not known when the newest file was begun: instance={} file={}", name, file, e);
            return 0;
        }
    }

    /** The beginning of a file, after all that is in the files before it. */
    public DumpStart beginningOf(String file) throws IOException {
        return logged(
                "at the beginning of the file that follows one whose end is lost",
                startAt(new BinlogPosition(file, DumpRequest.FIRST_POSITION)));
    }

    private DumpStart earliest() throws IOException {
        BinlogPosition first = new BinlogPosition(facts.files().get(0).name(), DumpRequest.FIRST_POSITION);
        if (!facts.mariaDb() && rules.followsGtids() && hasGtids) {
            long millis = begunMillis(first.file());
            return DumpStart.after(first, facts.purged(), new LastEvent(millis, facts.serverId()))
                    .inFileBegunAt(millis / 1000);
        }
        return startAt(first);
    }

    private DumpStart since(ConfiguredStart.Since since) throws IOException {
        long seconds = since.time().getEpochSecond();
        TimeSearch search = new TimeSearch(scan, facts.files(), seconds);
        String file = since.file();
        if (file != null) {
            TimeSearch.Found found = search.findIn(file);
            return found == null
                    ? startAt(new BinlogPosition(file, DumpRequest.FIRST_POSITION))
                    : start(found, facts.serverId());
        }
        TimeSearch.Found found = search.find();
        if (!found.reachesBack()) {
            LOG.warn(
                    "the binlog does not go back to the configured time, beginning at its oldest transaction: instance={}"
                            + " time={} start={}",
                    name,
                    since.time(),
                    found.point());
        }
        return start(found, facts.serverId());
    }

    /**
     * Where to continue at a server whose files are not those that were read: a while before the newest time that is known.
     *
     * @param known the newest event that was read
     * @throws SourceException PURGED if the server's binlog does not go back so far; MISCONFIGURED if it does not have what the server replicates
     */
    public DumpStart since(LastEvent known, String why) throws IOException {
        ReplicatedChanges.requireLogged(
                name, Instant.ofEpochMilli(known.millis()).minus(rules.fallback()), isOnlyHost, facts);
        return searchSince(known, why);
    }

    private DumpStart searchSince(LastEvent known, String why) throws IOException {
        if (known.millis() <= 0) {
            throw new SourceException(
                    SourceFailure.PURGED,
                    "%s is to be read from a time on (%s), but no time is known".formatted(facts.address(), why));
        }
        Instant wanted = Instant.ofEpochMilli(known.millis()).minus(rules.fallback());
        TimeSearch.Found found = new TimeSearch(scan, facts.files(), wanted.getEpochSecond())
                .find(known.millis() / 1000, beforeHistory(known));
        if (!found.reachesBack()) {
            throw new SourceException(
                    SourceFailure.PURGED,
                    "%s is to be read from %s on (%s), but its binlog begins later, at %s"
                            .formatted(facts.address(), wanted, why, found.point()));
        }
        hasGoneBack = true;
        LOG.warn(
                "continuing by time, some changes come again: instance={} source={} from={} start={} because={}",
                name,
                facts.address(),
                Instant.ofEpochSecond(found.seconds()),
                found.point(),
                why);
        return start(found, known.serverId());
    }

    /** Whether the position that was found is a while before what was read. */
    public boolean hasGoneBack() {
        return hasGoneBack;
    }

    /**
     * What was written up to the second in which the history begins, by the server that also wrote the newest event that was read, if that is later: it
     * is before that event in every binlog, so it was read, or was before that begin, and its columns may not be known. What another server wrote has
     * the times of another clock.
     */
    private TimeSearch.Passed beforeHistory(LastEvent known) throws IOException {
        long beginningMillis = history.millis();
        long afterBeginning = beginningMillis / 1000 + 1;
        return beginningMillis > 0 && known.serverId() != 0 && known.millis() / 1000 >= afterBeginning
                ? new TimeSearch.Passed(known.serverId(), afterBeginning)
                : TimeSearch.Passed.NONE;
    }

    /** @param writer which server wrote nothing before the found time that is still to be read, by its {@code server_id}; 0 if none is known */
    private DumpStart start(TimeSearch.Found found, long writer) {
        GtidSet executed = found.executed();
        LastEvent before = new LastEvent(found.seconds() * 1000, writer);
        return executed == null || !rules.followsGtids() || !hasGtids
                ? DumpStart.at(found.point(), before)
                : DumpStart.after(found.point(), executed, before);
    }

    /**
     * Where the transaction begins that an event is within.
     *
     * @throws SourceException CORRUPT if none is open there
     */
    public DumpStart boundaryBefore(BinlogPosition within) throws IOException {
        BoundarySearch search = new BoundarySearch(within.offset());
        scan.scan(within.file(), search);
        if (search.nearest() >= within.offset()) {
            throw new SourceException(
                    SourceFailure.CORRUPT,
                    "%s: the event at %s is within a transaction that begins nowhere"
                            .formatted(facts.address(), within));
        }
        BinlogPosition boundary = new BinlogPosition(within.file(), search.nearest());
        LOG.warn(
                "the position is within a transaction, reading from where that begins; some of its rows come again: instance={} at={} from={}",
                name,
                within,
                boundary);
        return DumpStart.at(boundary, new LastEvent(search.seconds() * 1000, search.serverId()));
    }

    /** A position up to which nothing was acknowledged. */
    private DumpStart startAt(BinlogPosition position) throws IOException {
        WrittenBefore before = WrittenBefore.of(position, scan);
        DumpStart byFile = DumpStart.at(position, new LastEvent(before.startSeconds() * 1000, before.serverId()))
                .inFileBegunAt(before.fileBegunSeconds());
        return withGtids(byFile, position, false, before.seconds() * 1000);
    }

    /**
     * Returns the start at a position, by GTIDs if the transactions before it can be determined.
     *
     * @param timeMillis when the newest of them was written
     */
    private DumpStart withGtids(DumpStart byFile, BinlogPosition position, boolean acked, long timeMillis)
            throws IOException {
        if (!rules.followsGtids()) {
            return byFile;
        }
        if (!hasGtids) {
            String mode = facts.gtidMode();
            if (mode != null && !mode.equals("OFF")) {
                LOG.info(
                        "positions are kept by file and offset, since not every transaction has a GTID: instance={}"
                                + " gtid_mode={}",
                        name,
                        mode);
            }
            return byFile;
        }
        GtidSet before = executedBefore(position, acked);
        if (before == null) {
            LOG.info(
                    "the position is kept by file and offset, since the GTIDs before it cannot be determined: instance={} at={}",
                    name,
                    position);
            return byFile;
        }
        LOG.info("the position was translated into GTIDs: instance={} at={} gtids={}", name, position, before);
        return DumpStart.after(
                        position,
                        before,
                        new LastEvent(timeMillis, byFile.lastEvent().serverId()))
                .inFileBegunAt(byFile.fileBegunSeconds());
    }

    /**
     * The transactions before a position; null if they are not known, or the server does not send all of them, since some have no GTID, or an event cannot
     * be read.
     */
    private @Nullable GtidSet executedBefore(BinlogPosition position, boolean acked) throws IOException {
        try {
            return GtidTranslation.executedBefore(position, acked, scan);
        } catch (IOException e) {
            boolean isAnonymous = e instanceof ServerErrorException error && DumpError.of(error) == DumpError.ANONYMOUS;
            if (!isAnonymous && !WrittenBefore.isOfUnreadableEvent(e)) {
                throw e;
            }
            return null;
        }
    }

    private long begunMillis(String file) throws IOException {
        return scan.begunSeconds(file) * 1000;
    }

    /** The empty set is the same text in both flavours. */
    private GtidSet flavoured(GtidSet set) {
        return set.isEmpty() && facts.mariaDb() ? MariaDbGtidSet.EMPTY : set;
    }

    private GtidSet parse(String gtidSet) throws IOException {
        try {
            return flavoured(GtidSet.parse(gtidSet));
        } catch (IllegalArgumentException e) {
            throw new SourceException(
                    SourceFailure.MISCONFIGURED,
                    "the position at %s cannot be used: %s".formatted(facts.address(), e.getMessage()),
                    e);
        }
    }

    private DumpStart logged(String how, DumpStart start) {
        LOG.info("find start position successfully, {}: instance={} start={}", how, name, start);
        return start;
    }
}
