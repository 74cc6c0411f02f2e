package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.MariaDbGtidListEvent;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The order of the transactions in the binlog of a server of MariaDB, also of servers that write one domain and number on their own.
 *
 * <p>The numbers of one server grow in each domain, so the heads of the files tell in which one a transaction is, if the binlog has it. It need not: one that
 * was made of a backup begins later, and not all that a server replicates is logged. So what contradicts the numbers counts only if both transactions were
 * found in their files, or are of a server of which the binlog had later ones that were purged. A file that has both is read for their order, as far as needed
 * at first. The binlog is taken as it is when it is asked for the first time.
 *
 * <p>What the binlog does not reach may come later, as on a replica that lags, or may never come, as what was lost in a fail-over, or may be in the tables
 * already, as of a backup. So it is left to the numbers, unless the newest one that was replicated tells that it is to come. Neither depends on the place of what it
 * is compared to: otherwise a place could tell that a snapshot does not have it, and a number that it is before the start, and it would be applied. For one thread.
 */
public final class BinlogOrder {
    private static final Logger LOG = LoggerFactory.getLogger(BinlogOrder.class);

    /** So many runs of all files are kept, each of which takes some 100 bytes. */
    static final int MAX_RUNS = 200_000;

    private final String instance;
    private final ServerFacts facts;
    private final BinlogScan scan;
    private final int maxRuns;
    private final Map<MariaDbGtid, Integer> fileOf = new HashMap<>();

    private @Nullable Binlog binlog;
    private boolean isRejected;
    private boolean isWarned;

    /** @param scan reads the binlog of the server of the facts */
    public BinlogOrder(String instance, ServerFacts facts, BinlogScan scan) {
        this(instance, facts, scan, MAX_RUNS);
    }

    /** Keeps at most the given number of runs of all files. */
    BinlogOrder(String instance, ServerFacts facts, BinlogScan scan, int maxRuns) {
        this.instance = instance;
        this.facts = facts;
        this.scan = scan;
        this.maxRuns = maxRuns;
    }

    /** What was asked of the server. */
    private record Binlog(
            List<MariaDbGtid> newestOfServers,
            GtidSet executed,
            boolean logsReplicated,
            MariaDbGtidSet replicated,
            List<ServerFacts.File> files,
            FileHeads heads,
            FileRuns runs) {
        /** Whether it has one, or a later one of its server. */
        boolean reaches(MariaDbGtid gtid) {
            return newestOfServers.stream().anyMatch(gtid::isUpTo);
        }

        /** The last one of its server; null if it has none. */
        @Nullable MariaDbGtid newestOfServerOf(MariaDbGtid gtid) {
            return newestOfServers.stream()
                    .filter(one -> one.domain() == gtid.domain() && one.server() == gtid.server())
                    .findFirst()
                    .orElse(null);
        }

        /** Whether servers number a domain on their own: one has a higher number than the last one of it, or it was so before a file. */
        boolean showsOwnNumbers(long domain) throws IOException {
            MariaDbGtid last = executed instanceof MariaDbGtidSet set ? set.newestOf(domain) : null;
            return last != null
                            && newestOfServers.stream()
                                    .anyMatch(one -> one.domain() == domain
                                            && Long.compareUnsigned(one.sequence(), last.sequence()) > 0)
                    || heads.showOwnNumbers(domain);
        }

        /** Whether the last one that the server has replicated tells that it has not got one. */
        boolean isToCome(MariaDbGtid gtid) {
            MariaDbGtid newest = replicated.newestOf(gtid.domain());
            return logsReplicated && newest != null && newest.server() == gtid.server() && !gtid.isUpTo(newest);
        }
    }

    /**
     * Whether a transaction is the newest one of its domain in a set, or is before that one in the binlog.
     *
     * @return null if that cannot be determined, and the numbers may tell it: the binlog does not have both transactions, or both were purged, or the server does
     *     not let its binlog be looked up
     * @throws IOException if the server cannot be read
     */
    public @Nullable Boolean isWithin(MariaDbGtidSet set, MariaDbGtid gtid) throws IOException {
        MariaDbGtid named = set.newestOf(gtid.domain());
        if (named == null || named.server() == gtid.server()) {
            return named != null && gtid.isUpTo(named);
        }
        if (isRejected) {
            return null;
        }
        try {
            Boolean isBefore = isBefore(gtid, named);
            if (isBefore == null) {
                warnOfNumbers(gtid, named);
            }
            return isBefore;
        } catch (ServerErrorException e) {
            if (!DumpCheck.isRejection(e)) {
                throw e;
            }
            reject(e);
            return null;
        }
    }

    /** Warns once where a number decides that a transaction is before another one, though servers number the domain on their own. */
    private void warnOfNumbers(MariaDbGtid gtid, MariaDbGtid named) throws IOException {
        if (!isWarned && isByNumber(gtid, named) && binlog().showsOwnNumbers(gtid.domain())) {
            isWarned = true;
            LOG.warn(
                    "the binlog does not tell whether DDL of another server comes before a position, and its servers number domain {} on their own, so the"
                            + " number decides: instance={} source={} ddl={} position={} remedy=if the table has wrong columns, name it in"
                            + " canal.instance.schema.reload for one start, and give each server a gtid_domain_id of its own",
                    gtid.domain(),
                    instance,
                    facts.address(),
                    gtid,
                    named);
        }
    }

    private static boolean isByNumber(MariaDbGtid gtid, MariaDbGtid named) {
        return Long.compareUnsigned(gtid.sequence(), named.sequence()) <= 0;
    }

    /** A head that is not sent concerns some questions only. */
    private void reject(ServerErrorException error) {
        boolean isForbidden = AccountFailure.isMissingPrivilege(error);
        isRejected = isForbidden || binlog == null;
        if (isForbidden) {
            LOG.warn(
                    "the account may not look up the binlog, so the numbers of GTIDs decide which DDL of other servers comes first, which is wrong if"
                            + " several servers write one domain at the same time; GRANT REPLICATION CLIENT, REPLICATION SLAVE ON *.* to it: instance={}"
                            + " source={} cause={}",
                    instance,
                    facts.address(),
                    error.serverMessage());
        } else {
            LOG.debug("the order of transactions cannot be looked up: instance={}", instance, error);
        }
    }

    /**
     * Whether all that a set names is before a position of the binlog, except for what the binlog does not have.
     *
     * @return true, too, if the server does not let its binlog be read
     * @throws IOException if the server cannot be read
     */
    public boolean isBefore(MariaDbGtidSet set, BinlogPosition position) throws IOException {
        try {
            Set<MariaDbGtid> left =
                    new HashSet<>(set.among(facts.newestOfServers()).newest());
            scan.scan(position.file(), (header, body, start, end) -> {
                if (start >= position.offset()) {
                    return false;
                }
                if (header.code() == EventCode.MARIADB_GTID_LIST) {
                    List<MariaDbGtid> before = MariaDbGtidListEvent.decode(body).gtids();
                    left.removeIf(named -> before.stream().anyMatch(named::isUpTo));
                } else if (FileTransactions.gtidOf(header, body) instanceof MariaDbGtid gtid) {
                    left.removeIf(named -> named.isUpTo(gtid));
                }
                return !left.isEmpty();
            });
            return left.isEmpty();
        } catch (ServerErrorException e) {
            if (!DumpCheck.isRejection(e)) {
                throw e;
            }
            return true;
        }
    }

    /** Whether a transaction is before another one of its domain, which another server has written; null if that cannot be determined. */
    private @Nullable Boolean isBefore(MariaDbGtid gtid, MariaDbGtid named) throws IOException {
        Binlog asked = binlog();
        MariaDbGtid newest = asked.newestOfServerOf(gtid);
        if (newest == null || !asked.reaches(named)) {
            return null;
        }
        boolean isByNumber = isByNumber(gtid, named);
        if (!gtid.isUpTo(newest)) {
            return !isByNumber || asked.isToCome(gtid) ? Boolean.FALSE : null;
        }
        int fileOfNamed = fileOf(named, asked);
        int file = fileOf(gtid, asked);
        if (file == fileOfNamed) {
            return file < 0 ? null : asked.runs().isBefore(file, gtid, named);
        }
        boolean isBefore = file < fileOfNamed;
        return isBefore == isByNumber || has(gtid, asked) && has(named, asked) ? Boolean.valueOf(isBefore) : null;
    }

    private Binlog binlog() throws IOException {
        Binlog known = binlog;
        if (known == null) {
            List<MariaDbGtid> newest = facts.newestOfServers(); // before the files, which have all of these
            List<ServerFacts.File> files = facts.files();
            known = new Binlog(
                    newest,
                    facts.executed(),
                    facts.logsReplicated(),
                    facts.replicated(),
                    files,
                    new FileHeads(files, scan),
                    new FileRuns(instance, files, scan, maxRuns));
            binlog = known;
        }
        return known;
    }

    /** The index of the file in which a transaction is, if the binlog has it; -1 if it was purged. */
    private int fileOf(MariaDbGtid gtid, Binlog asked) throws IOException {
        Integer known = fileOf.get(gtid);
        if (known == null) {
            FileHeads heads = asked.heads();
            known = NewestFile.before(
                    asked.files().size(),
                    file -> heads.sent(file).newestOfServers().stream().noneMatch(gtid::isUpTo));
            fileOf.put(gtid, known);
        }
        return known;
    }

    /** Whether the binlog certainly has a transaction that it reaches, or had it before what it has. */
    private boolean has(MariaDbGtid gtid, Binlog asked) throws IOException {
        int file = fileOf(gtid, asked);
        return file < 0 || asked.runs().has(file, gtid);
    }
}
