package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.DumpError;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first transaction that was written at or after a time, in whole seconds of the source's clock.
 *
 * <p>The file to begin in is the newest one that was begun before that time, and whose first transaction was: then all
 * before it is older. To {@linkplain NewestFile find} it, only the heads of a few files are read. From there on transaction boundaries are read
 * forwards.
 */
final class TimeSearch {
    private final BinlogScan scan;
    private final List<ServerFacts.File> files;
    private final long wantedSeconds;
    private Passed passed = Passed.NONE;
    /** Whether a transaction was found that is not older than wanted. */
    private boolean isReached;

    /**
     * Transactions that need not be read, where they come first from the wanted time on.
     *
     * @param serverId that of the server that wrote them
     * @param beforeSeconds they are older than that, by its clock
     */
    record Passed(long serverId, long beforeSeconds) {
        static final Passed NONE = new Passed(0, 0);

        boolean has(EventHeader header) {
            return header.serverId() == serverId && header.timestampSeconds() < beforeSeconds;
        }
    }

    TimeSearch(BinlogScan scan, List<ServerFacts.File> files, long wantedSeconds) {
        this.scan = scan;
        this.files = files;
        this.wantedSeconds = wantedSeconds;
    }

    /**
     * The result of a search.
     *
     * @param point where the transaction begins; the end of the binlog if all are older
     * @param executed the transactions before it; null if they are not known
     * @param reachesBack whether the binlog goes back to the time that was asked for; if not, it is its oldest transaction
     * @param seconds all transactions before it are older than that, or were passed: the time that was asked for, or later
     */
    record Found(BinlogPosition point, @Nullable GtidSet executed, boolean reachesBack, long seconds) {}

    /** Searches all files. */
    Found find() throws IOException {
        return find(Long.MAX_VALUE, Passed.NONE);
    }

    /**
     * Searches all files of a server that is to be read after an event of another one. That its binlog was never purged is not enough: it may
     * have been made from a copy of the data after that event.
     *
     * @param knownSeconds when that event was written
     * @param notToRead which transactions are passed from the one on that is found by its time
     */
    Found find(long knownSeconds, Passed notToRead) throws IOException {
        passed = notToRead;
        int first = newestBegunBefore();
        for (int i = Math.max(0, first); i < files.size(); i++) {
            Within within = search(files.get(i).name());
            if (within.found || i == files.size() - 1) {
                return within.in(files.get(i).name(), first >= 0 || hasAllSince(knownSeconds));
            }
        }
        throw new IllegalStateException("a binlog without files");
    }

    /** Whether a binlog that begins after the wanted time lacks nothing: it was never purged, or what was purged is older than what is passed. */
    private boolean hasAllSince(long knownSeconds) throws IOException {
        Head oldest = head(0);
        return isFirstEver(files.get(0).name()) && oldest.oldestSeconds <= knownSeconds
                || oldest.beginsWithPassed && oldest.newestSeconds < passed.beforeSeconds();
    }

    /**
     * Searches one file.
     *
     * @return null if all its transactions are older
     */
    @Nullable Found findIn(String file) throws IOException {
        Within within = search(file);
        return within.found ? within.in(file, true) : null;
    }

    private Within search(String file) throws IOException {
        Within within = new Within();
        scan.scan(file, within);
        return within;
    }

    /** The index of the newest file that was begun before the wanted time; -1 if none was. */
    private int newestBegunBefore() throws IOException {
        return NewestFile.before(files.size(), this::isBegunBefore);
    }

    private boolean isBegunBefore(int index) throws IOException {
        return head(index).newestSeconds < wantedSeconds;
    }

    private Head head(int index) throws IOException {
        Head head = new Head();
        try {
            scan.scan(files.get(index).name(), head);
        } catch (ServerErrorException e) {
            if (DumpError.of(e) != DumpError.ANONYMOUS) {
                throw e;
            } // its first transaction is not sent, and when it was begun was seen
        }
        return head;
    }

    /** A server numbers its files from 1, so nothing was purged before that one. */
    private static boolean isFirstEver(String file) {
        return file.matches(".*\\.0*1");
    }

    /** When a file was begun, and its first transaction written: the newer and the older of both, since two clocks may be at work. */
    private final class Head implements BinlogScan.Visitor {
        private final FileTransactions transactions = new FileTransactions();
        private long newestSeconds;
        private long oldestSeconds = Long.MAX_VALUE;
        private boolean beginsWithPassed;

        @Override
        public boolean visit(EventHeader header, EventBody body, long start, long end) {
            newestSeconds = Math.max(newestSeconds, header.timestampSeconds());
            oldestSeconds = Math.min(oldestSeconds, header.timestampSeconds());
            boolean isOutside = transactions.accept(header, body, start, end) == Step.OUTSIDE;
            beginsWithPassed = !isOutside && passed.has(header);
            return isOutside;
        }
    }

    /** Looks for the transaction within a file. */
    private final class Within implements BinlogScan.Visitor {
        private final FileTransactions transactions = new FileTransactions();
        private boolean found;
        private long offset;
        private long seconds = Math.max(wantedSeconds, passed.beforeSeconds());
        private @Nullable GtidSet executed;

        @Override
        public boolean visit(EventHeader header, EventBody body, long start, long end) {
            offset = transactions.isBetween() ? start : transactions.boundary();
            executed = transactions.executed();
            Step step = transactions.accept(header, body, start, end);
            isReached |= step != Step.OUTSIDE && header.timestampSeconds() >= wantedSeconds;
            found = step != Step.OUTSIDE && isReached && !passed.has(header);
            if (found && header.timestampSeconds() < seconds) {
                seconds = wantedSeconds;
            }
            if (!found) {
                offset = transactions.boundary();
                executed = transactions.executed();
            }
            return !found;
        }

        Found in(String file, boolean reachesBack) {
            return new Found(new BinlogPosition(file, offset), executed, reachesBack, seconds);
        }
    }
}
