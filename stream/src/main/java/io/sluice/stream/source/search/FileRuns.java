package io.sluice.stream.source.search;

import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The order of the transactions within binlog files of MariaDB, which are read when it is asked for. All files share a limit: of a file that exceeds what is left of
 * it the beginning is kept, and it is read again for a question about others; but only {@value #MAX_READS} times in all. For one thread.
 */
final class FileRuns {
    private static final Logger LOG = LoggerFactory.getLogger(FileRuns.class);

    /** A file may be large, and questions many. */
    static final int MAX_READS = 10;

    private final String instance;
    private final List<ServerFacts.File> files;
    private final BinlogScan scan;
    private final int maxRuns;
    private final Map<Integer, TransactionRuns> runsOf = new HashMap<>();
    private final Map<Set<MariaDbGtid>, TransactionRuns> beyondLimit = new HashMap<>();
    private boolean isWarned;

    /** @param maxRuns how many runs of all files are kept */
    FileRuns(String instance, List<ServerFacts.File> files, BinlogScan scan, int maxRuns) {
        this.instance = instance;
        this.files = files;
        this.scan = scan;
        this.maxRuns = maxRuns;
    }

    /** Whether a transaction is before one of another server in a file; null if the file does not have both. */
    @Nullable Boolean isBefore(int file, MariaDbGtid one, MariaDbGtid other) throws IOException {
        return of(file, one, other).isBefore(one, other);
    }

    /** Whether a file has a transaction. */
    boolean has(int file, MariaDbGtid gtid) throws IOException {
        return of(file, gtid).has(gtid);
    }

    private TransactionRuns of(int file, MariaDbGtid... wanted) throws IOException {
        TransactionRuns kept = kept(file, wanted);
        if (!kept.areTooMany() || kept.hasAll(wanted)) {
            return kept;
        }
        Set<MariaDbGtid> asked = Set.of(wanted);
        TransactionRuns found = beyondLimit.get(asked);
        if (found == null) {
            if (beyondLimit.size() == MAX_READS) {
                warnOfLimit(file);
                return kept;
            }
            found = new TransactionRuns(wanted.length);
            read(file, found, true, wanted);
            beyondLimit.put(asked, found);
        }
        return found;
    }

    private void warnOfLimit(int file) {
        if (!isWarned) {
            isWarned = true;
            LOG.warn(
                    "the order of the transactions of several servers is not looked up any more, since their binlog files have more of them than are kept,"
                            + " so the numbers of GTIDs decide which DDL of other servers comes first: instance={} file={} reads={} remedy=if a table has"
                            + " wrong columns, name it in canal.instance.schema.reload for one start, and give each server a gtid_domain_id of its own",
                    instance,
                    files.get(file).name(),
                    MAX_READS);
        }
    }

    /** What a file has, at least up to the last one of these, but no more than is kept. */
    private TransactionRuns kept(int file, MariaDbGtid... wanted) throws IOException {
        TransactionRuns known = runsOf.get(file);
        if (known != null && (known.isEnd() || known.hasAll(wanted))) {
            return known;
        }
        int others =
                runsOf.values().stream().mapToInt(TransactionRuns::size).sum() - (known == null ? 0 : known.size());
        TransactionRuns runs = new TransactionRuns(Math.max(0, maxRuns - others));
        if (!read(file, runs, false, known == null ? wanted : new MariaDbGtid[0])) {
            runs = known == null ? TransactionRuns.NONE : known.asEnd();
        }
        runsOf.put(file, runs);
        return runs;
    }

    /** Reads a file; returns whether the server has sent it. */
    private boolean read(int file, TransactionRuns runs, boolean isOnlyWanted, MariaDbGtid... wanted)
            throws IOException {
        ServerFacts.File read = files.get(file);
        LOG.info(
                "reading a binlog file for the order of the transactions of several servers: instance={} file={} bytes={}",
                instance,
                read.name(),
                read.bytes());
        try {
            runs.read(read.name(), scan, isOnlyWanted, wanted);
            return true;
        } catch (ServerErrorException e) {
            if (!DumpCheck.isRejection(e) || AccountFailure.isMissingPrivilege(e)) {
                throw e;
            }
            LOG.debug("a binlog file cannot be read: instance={} file={}", instance, read.name(), e);
            return false;
        }
    }
}
