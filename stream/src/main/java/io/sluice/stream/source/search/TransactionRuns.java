package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.stream.source.server.BinlogScan;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a binlog file of MariaDB in their order. Those of one server that follow one another in their domain, with successive numbers, are kept as
 * one run. For one thread.
 */
final class TransactionRuns {
    /** Of a file that cannot be read. */
    static final TransactionRuns NONE = new TransactionRuns(0).asEnd();

    private static final Comparator<MariaDbGtid> BY_SERVER = Comparator.comparingLong(MariaDbGtid::domain)
            .thenComparingLong(MariaDbGtid::server)
            .thenComparing(MariaDbGtid::sequence, Long::compareUnsigned);

    private final NavigableMap<MariaDbGtid, Run> byFirst = new TreeMap<>(BY_SERVER);
    private final Map<Long, Run> newestOfDomain = new HashMap<>();

    private final int max;
    private int placesUsed;
    private boolean isEnd;

    /** @param max how many runs are kept, and one more; a file with more is not read to its end */
    TransactionRuns(int max) {
        this.max = max;
    }

    private static final class Run {
        final int place;
        MariaDbGtid last;

        Run(int place, MariaDbGtid first) {
            this.place = place;
            this.last = first;
        }
    }

    /**
     * Reads a file.
     *
     * @param isOnlyWanted whether no others than these are kept
     * @param wanted when it has been read up to all of these, that is enough; none to read all
     */
    void read(String file, BinlogScan scan, boolean isOnlyWanted, MariaDbGtid... wanted) throws IOException {
        Set<MariaDbGtid> left = new HashSet<>(Arrays.asList(wanted));
        boolean[] isLeft = {false};
        scan.scan(file, (header, body, start, end) -> {
            if (header.code() == EventCode.MARIADB_GTID
                    && FileTransactions.gtidOf(header, body) instanceof MariaDbGtid gtid) {
                boolean isWanted = left.remove(gtid);
                if (isWanted || !isOnlyWanted) {
                    add(gtid);
                }
                isLeft[0] = isWanted && left.isEmpty();
            }
            return !isLeft[0] && !areTooMany();
        });
        isEnd = !isLeft[0] || areTooMany();
    }

    /** Notes that no more is to be read of the file, since it cannot be read; returns this. */
    TransactionRuns asEnd() {
        isEnd = true;
        return this;
    }

    int size() {
        return byFirst.size();
    }

    /** Whether there are more than are kept, so that the rest was not read. */
    boolean areTooMany() {
        return byFirst.size() > max;
    }

    private void add(MariaDbGtid gtid) {
        Run newest = newestOfDomain.get(gtid.domain());
        if (newest != null && newest.last.server() == gtid.server() && newest.last.sequence() + 1 == gtid.sequence()) {
            newest.last = gtid;
            return;
        }
        Run run = new Run(placesUsed++, gtid);
        newestOfDomain.put(gtid.domain(), run);
        byFirst.putIfAbsent(gtid, run);
    }

    /** Whether no more of the file is read: it was read, has more than is kept, or cannot be read. */
    boolean isEnd() {
        return isEnd;
    }

    boolean has(MariaDbGtid gtid) {
        return runOf(gtid) != null;
    }

    boolean hasAll(MariaDbGtid... gtids) {
        return Arrays.stream(gtids).allMatch(this::has);
    }

    /** Whether one is before another one, of another server; null if it does not have both. */
    @Nullable Boolean isBefore(MariaDbGtid one, MariaDbGtid other) {
        Run run = runOf(one);
        Run otherRun = runOf(other);
        return run == null || otherRun == null ? null : Boolean.valueOf(run.place < otherRun.place);
    }

    private @Nullable Run runOf(MariaDbGtid gtid) {
        Map.Entry<MariaDbGtid, Run> found = byFirst.floorEntry(gtid);
        return found != null && gtid.isUpTo(found.getValue().last) ? found.getValue() : null;
    }
}
