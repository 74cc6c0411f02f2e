package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.MariaDbGtidListEvent;
import io.sluice.mysql.binlog.PreviousGtidsEvent;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.DumpError;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks before a dump by GTIDs that it continues what was read. After a reset of the binlog, and after a crash that has cut it off, a server
 * gives GTIDs again, and a request by GTIDs would skip the transactions that have them now.
 *
 * <p>GTIDs alone do not show that, and positions do so only on the same server: a replica may be reset, too, and then writes the same
 * transactions again. But the times of events remain the same wherever they are replicated, and the newest transaction that was read has the
 * newest time. So the GTIDs were given again if a server still has transactions with GTIDs that were read, and all of them are newer; on the
 * server that was read, where their order is the same, if the last one is.
 */
final class GtidHistory {
    private static final Logger LOG = LoggerFactory.getLogger(GtidHistory.class);
    private static final int NONE = -1;

    private final DumpStart start;
    private final ServerFacts facts;
    private final BinlogScan scan;
    private final Consumer<ServerErrorException> onRejected;

    private GtidHistory(
            DumpStart start, ServerFacts facts, BinlogScan scan, Consumer<ServerErrorException> onRejected) {
        this.start = start;
        this.facts = facts;
        this.scan = scan;
        this.onRejected = onRejected;
    }

    /**
     * Checks a start position.
     *
     * @param readMillis when the newest event was written that was read, in milliseconds since the epoch; 0 if that is not known, or if nothing
     *     was read: then GTIDs that were given again are not noticed
     * @param onRejected takes the error of a server that does not let its binlog be looked up, so that they are not noticed either
     * @return the start position, without the domains that the server has deleted; itself if it is requested by position
     * @throws SourceException LAGGING or DIVERGED if the server lacks transactions that were read, or has others with their GTIDs; PURGED if it
     *     does not have the events any more of some that were not read
     */
    static DumpStart require(
            DumpStart start,
            long readMillis,
            ServerFacts facts,
            BinlogScan scan,
            Consumer<ServerErrorException> onRejected)
            throws IOException {
        GtidSet executed = start.executed();
        return start.byGtids() && executed != null
                ? new GtidHistory(start, facts, scan, onRejected).required(executed, readMillis / 1000)
                : start;
    }

    private DumpStart required(GtidSet executed, long readSeconds) throws IOException {
        GtidSet read = withoutDeletedDomains(executed);
        HostCheck.require(read, start.position(), facts);
        if (readSeconds > 0 && !read.isEmpty() && !facts.purged().containsAll(read)) {
            requireNotGivenAgain(read, readSeconds);
        }
        if (read.equals(executed) || !isStartOf(read)) {
            return start;
        }
        LOG.info(
                "the source has deleted domains of GTIDs, continuing without them: source={} before={} now={}",
                facts.address(),
                executed,
                read);
        return DumpStart.after(start.position(), read, start.lastEvent()).inFileBegunAt(start.fileBegunSeconds());
    }

    /**
     * A server that was read has deleted the domains of which it has nothing. Of another one that is not certain: it may have lost them, or
     * may still get them.
     */
    private GtidSet withoutDeletedDomains(GtidSet executed) throws IOException {
        if (!(executed instanceof MariaDbGtidSet read) || !(facts.executed() instanceof MariaDbGtidSet has)) {
            return executed;
        }
        MariaDbGtidSet left = read.inDomainsOf(has);
        if (left.isEmpty() || left.equals(read)) {
            return executed;
        }
        try {
            return firstDoubtful(facts.files()) == NONE ? left : executed;
        } catch (ServerErrorException e) {
            rethrowUnlessRejected(e);
            return executed;
        }
    }

    /**
     * Whether a server begins in a file if it is requested by the set: MariaDB begins after no transaction that is not in it, not even of a
     * deleted domain, which the head of an older file still states. It accepts a set with such a domain as well.
     */
    private boolean isStartOf(GtidSet read) throws IOException {
        try {
            List<ServerFacts.File> files = facts.files();
            FileHeads heads = new FileHeads(files, scan);
            int file = heads.newestWithin(RequestedSet.of(read, facts));
            return file >= 0 && file >= indexOfStart(files) && heads.before(file) != null;
        } catch (ServerErrorException e) {
            rethrowUnlessRejected(e);
        }
        return false;
    }

    /** The index of the file of the start; -1 if the server does not have it. */
    private int indexOfStart(List<ServerFacts.File> files) {
        String file = start.positionOrUnknown().file();
        return files.stream().map(ServerFacts.File::name).toList().indexOf(file);
    }

    private void requireNotGivenAgain(GtidSet set, long readSeconds) throws IOException {
        RequestedSet read = RequestedSet.of(set, facts);
        Reused reused;
        try {
            reused = reused(read, readSeconds);
            if (reused == null) {
                reused = lastReused(read, readSeconds);
            }
        } catch (ServerErrorException e) {
            rethrowUnlessRejected(e);
            return;
        }
        if (reused != null) {
            throw new SourceException(
                    SourceFailure.DIVERGED,
                    ("%s: GTIDs were given again that were read: the transaction %s at %s was written at %s, but transactions up to its GTID were"
                                    + " read before, the newest of %s. The binlog was reset (RESET BINARY LOGS AND GTIDS, RESET MASTER), has lost its end"
                                    + " in a crash, or is of a server that was made again")
                            .formatted(
                                    facts.address(),
                                    reused.gtid(),
                                    reused.at(),
                                    Instant.ofEpochSecond(reused.seconds()),
                                    Instant.ofEpochSecond(readSeconds)),
                    "load the tables again; stop the instance (sluice.sh stop DESTINATION), remove its schema history, which is of the old binlog (h2.sqlite"
                            + " and h2.sqlite-wal of the destination, or its rows in meta_snapshot, meta_history and meta_identity), set the cursor to a"
                            + " position of the new one (sluice.sh cursor set DESTINATION --to oldest), and start the instance (sluice.sh start"
                            + " DESTINATION; if the server has ended: bin/startup.sh)");
        }
    }

    /** Whether a server does not let something be looked up, though its binlog may be read. */
    static boolean isRejection(ServerErrorException e) {
        return AccountFailure.isMissingPrivilege(e)
                || e.isBinlogUnreadable()
                || FailureClassifier.of(e) == SourceFailure.REJECTED;
    }

    /** A lookup that a server rejects, such as one that sends its binlog by GTIDs only, is left out. */
    private void rethrowUnlessRejected(ServerErrorException e) throws ServerErrorException {
        if (!isRejection(e)) {
            throw e;
        }
        onRejected.accept(e);
    }

    /**
     * A transaction with a GTID that was read.
     *
     * @param seconds when it was written, in seconds since the epoch
     */
    private record Reused(Gtid gtid, BinlogPosition at, long seconds) {}

    /** The oldest transaction with a GTID that was read, if all of them are newer than what was read; null if they are not, or there is none. */
    private @Nullable Reused reused(RequestedSet read, long readSeconds) throws IOException {
        List<ServerFacts.File> files = facts.files();
        int doubtful = firstDoubtful(files);
        if (doubtful == NONE) {
            return null;
        }
        // After a switch of the writer, the oldest files may have transactions of other servers only.
        int first = facts.mariaDb() ? new FileHeads(files, scan).newestWithoutGiven(read, doubtful) : doubtful;
        Reused oldest = null;
        for (ServerFacts.File file : files.subList(first, files.size())) {
            ReadInFile inFile = new ReadInFile(read, readSeconds, file.name(), start.position() == null);
            if (!scanUnlessPurged(file.name(), inFile)) {
                continue;
            }
            if (inFile.isOld) {
                return null;
            }
            oldest = oldest == null ? inFile.newer : oldest;
            if (inFile.hasAllBefore) {
                break;
            }
        }
        return oldest;
    }

    /**
     * The last transaction with a GTID that was read, if it is newer than what was read, on a server that was read and has the file no more: it
     * was restored with its old files, and has given the GTIDs after these again. Null on replicas, which may write transactions in another
     * order when they replicate them again.
     */
    private @Nullable Reused lastReused(RequestedSet read, long readSeconds) throws IOException {
        List<ServerFacts.File> files = facts.files();
        if (start.position() == null || start.fileBegunSeconds() == 0 || firstDoubtful(files) == NONE) {
            return null;
        }
        int file = new FileHeads(files, scan).newestWithout(read, files.size());
        Reused last = file < 0 ? null : last(read, files.get(file).name());
        return last != null && last.seconds() > readSeconds && !mayBeReplica() ? last : null;
    }

    private boolean mayBeReplica() throws IOException {
        try {
            return facts.isReplica();
        } catch (ServerErrorException e) {
            if (AccountFailure.isMissingPrivilege(
                    e)) { // on MariaDB, SLAVE MONITOR, which a single host does not need otherwise
                return true;
            }
            throw e;
        }
    }

    /** The last transaction of a file with a GTID that was read; null if there is none. */
    private @Nullable Reused last(RequestedSet read, String file) throws IOException {
        AtomicReference<@Nullable Reused> last = new AtomicReference<>();
        scan.scan(file, (header, body, from, to) -> {
            Gtid gtid = FileTransactions.gtidOf(header, body);
            if (gtid != null && read.wasGiven(gtid)) {
                last.set(new Reused(gtid, new BinlogPosition(file, from), header.timestampSeconds()));
            }
            return true;
        });
        return last.get();
    }

    /**
     * The index of the first file in which GTIDs may have been given again; -1 if the position that was read up to is still there. A file
     * that ends before it was cut off in a crash, or restored.
     */
    private int firstDoubtful(List<ServerFacts.File> files) throws IOException {
        BinlogPosition position = start.position();
        if (position == null || start.fileBegunSeconds() == 0) {
            return 0;
        }
        int read = indexOfStart(files);
        if (read < 0 || scan.begunSeconds(position.file()) != start.fileBegunSeconds()) {
            return 0;
        }
        boolean isComplete =
                read < files.size() - 1; // of the newest one, an event may be sent before its length is shown
        return isComplete && files.get(read).bytes() < position.offset() ? read + 1 : NONE;
    }

    private boolean scanUnlessPurged(String file, BinlogScan.Visitor visitor) throws IOException {
        try {
            scan.scan(file, visitor);
            return true;
        } catch (ServerErrorException e) {
            boolean isListed =
                    facts.files().stream().anyMatch(left -> left.name().equals(file));
            if (isListed || DumpError.of(e) != DumpError.GONE) {
                throw e;
            }
            return false;
        }
    }

    /** Looks in one file for transactions with GTIDs that were read, until one is old. */
    private static final class ReadInFile implements BinlogScan.Visitor {
        private final RequestedSet read;
        private final long readSeconds;
        private final String file;
        private final boolean isElsewhere;
        private boolean isRead;
        private boolean hasAllBefore;
        private boolean isOld;
        private @Nullable Reused newer;

        /**
         * Makes it for one file.
         *
         * @param isElsewhere whether another server was read: a replica may give a GTID the time of the last statement of the transaction, and
         *     not that of its commit, but all other events their own
         */
        ReadInFile(RequestedSet read, long readSeconds, String file, boolean isElsewhere) {
            this.read = read;
            this.readSeconds = readSeconds;
            this.file = file;
            this.isElsewhere = isElsewhere;
        }

        @Override
        public boolean visit(EventHeader header, EventBody body, long start, long end) {
            FileHead head = head(header, body);
            if (head != null) {
                hasAllBefore = read.isBefore(head);
                return !hasAllBefore;
            }
            Gtid gtid = FileTransactions.gtidOf(header, body);
            if (gtid != null) {
                isRead = read.wasGiven(gtid);
                newer = isRead && newer == null
                        ? new Reused(gtid, new BinlogPosition(file, start), header.timestampSeconds())
                        : newer;
            }
            isOld = isRead && (gtid != null || isElsewhere) && header.timestampSeconds() <= readSeconds;
            return !isOld;
        }

        /** What the event states of the transactions before the file; null if it states nothing. */
        private static @Nullable FileHead head(EventHeader header, EventBody body) {
            return switch (header.code()) {
                case EventCode.PREVIOUS_GTIDS ->
                    new FileHead(PreviousGtidsEvent.decode(body).gtids(), List.of());
                case EventCode.MARIADB_GTID_LIST -> {
                    List<MariaDbGtid> newest = MariaDbGtidListEvent.decode(body).gtids();
                    yield new FileHead(MariaDbGtidSet.of(newest), newest);
                }
                default -> null;
            };
        }
    }
}
