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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The order of the transactions within binlog files of MariaDB, which are read when it is asked for. All files share a limit: of a file that exceeds what is left of
 * it the beginning is kept, so what was answered once is answered again. For one thread.
 */
final class FileRuns {
    private static final Logger LOG = LoggerFactory.getLogger(FileRuns.class);

    private final String instance;
    private final List<ServerFacts.File> files;
    private final BinlogScan scan;
    private final int maxRuns;
    private final Map<Integer, TransactionRuns> runsOf = new HashMap<>();
    private boolean isLimitReported;

    /** @param maxRuns how many runs of all files are kept */
    FileRuns(String instance, List<ServerFacts.File> files, BinlogScan scan, int maxRuns) {
        this.instance = instance;
        this.files = files;
        this.scan = scan;
        this.maxRuns = maxRuns;
    }

    /** What a file has, at least up to the last one of these, but no more than is kept. */
    TransactionRuns of(int file, MariaDbGtid... wanted) throws IOException {
        TransactionRuns known = runsOf.get(file);
        if (known != null && (known.isEnd() || known.hasAll(wanted))) {
            return known;
        }
        int others =
                runsOf.values().stream().mapToInt(TransactionRuns::size).sum() - (known == null ? 0 : known.size());
        TransactionRuns runs = new TransactionRuns(Math.max(0, maxRuns - others));
        ServerFacts.File read = files.get(file);
        LOG.info(
                "several servers have written one domain, reading a binlog file for the order of their transactions: instance={} file={} bytes={}",
                instance,
                read.name(),
                read.bytes());
        try {
            runs.read(read.name(), scan, known == null ? wanted : new MariaDbGtid[0]);
        } catch (ServerErrorException e) {
            if (!DumpCheck.isRejection(e) || AccountFailure.isMissingPrivilege(e)) {
                throw e;
            }
            LOG.debug("a binlog file cannot be read: instance={} file={}", instance, read.name(), e);
            runs = known == null ? TransactionRuns.NONE : known.asEnd();
        }
        runsOf.put(file, runs);
        if (runs.areTooMany() && !isLimitReported) {
            isLimitReported = true;
            LOG.warn(
                    "servers alternate too often in the binlog for the order of their transactions to be kept, so the numbers of GTIDs decide which DDL"
                            + " of other servers comes first, from the transactions of this file on: instance={} file={}",
                    instance,
                    read.name());
        }
        return runs;
    }
}
