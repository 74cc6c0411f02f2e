package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.DumpError;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds transactions without a GTID that a request by GTIDs would skip: of the files that may hold what is missing, MySQL opens the newest
 * whose head states no transaction that was not executed, and transactions without a GTID are stated nowhere. They are in files of before
 * {@code gtid_mode} was switched on while the server ran.
 */
final class AnonymousTransactions {
    /** Less than any transaction has, but as much as the event that ends a file. */
    private static final int SHORTEST_TRANSACTION_BYTES = 100;

    private final GtidSet executed;
    private final ServerFacts facts;
    private final BinlogScan scan;
    private final List<ServerFacts.File> files;
    private final FileHeads heads;

    private AnonymousTransactions(GtidSet executed, ServerFacts facts, BinlogScan scan) throws IOException {
        this.executed = executed;
        this.facts = facts;
        this.scan = scan;
        this.files = facts.files();
        this.heads = new FileHeads(files, scan);
    }

    /**
     * Requires that a request by GTIDs reads all that follows what was read: of a server that was read, all after the position; of another
     * one, all after the last transaction that was read, since those before it were read by position, or left out, before that.
     *
     * @param from where reading is to begin; not one of this server, or unknown, if that is known by GTIDs only
     * @param executed the transactions that were read
     * @throws SourceException MISCONFIGURED if it would skip transactions
     */
    static void requireNone(BinlogPosition from, GtidSet executed, ServerFacts facts, BinlogScan scan)
            throws IOException {
        if (facts.mariaDb()) {
            return; // all have a GTID
        }
        AnonymousTransactions search = new AnonymousTransactions(executed, facts, scan);
        for (int i = 0; i < search.files.size(); i++) {
            if (search.name(i).equals(from.file())) {
                search.requireNoneAfter(i, from.offset());
                return;
            }
        }
        search.requireNoneAfterLastRead();
    }

    private String name(int file) {
        return files.get(file).name();
    }

    private void requireNoneAfter(int first, long position) throws IOException {
        for (int i = first; i < files.size() - 1; i++) {
            GtidSet head = heads.before(i + 1);
            if (head != null && !executed.containsAll(head)) {
                return; // this file holds a transaction that is missing, so the server begins in it, or before it
            }
            BinlogPosition skipped = firstAfter(files.get(i), i == first ? position : DumpRequest.FIRST_POSITION);
            if (skipped != null) {
                throw skips(skipped, name(i));
            }
        }
    }

    private void requireNoneAfterLastRead() throws IOException {
        int begin = heads.newestWithin(executed);
        GtidSet head = begin < 0 ? null : heads.before(begin);
        if (head == null || executed.isEmpty() || !head.containsAll(executed)) {
            return; // the last that was read is in the file in which the server begins, or after it
        }
        int first = Math.max(0, heads.newestWithout(executed, begin));
        for (int i = begin - 1; i >= first; i--) {
            BinlogPosition newest = afterLastGtid(name(i));
            if (newest != null) {
                throw skips(oldest(first, i, newest), name(i));
            }
        }
    }

    /** The first transaction without a GTID in files that have no other ones, but for those up to the last one that was read. */
    private BinlogPosition oldest(int first, int end, BinlogPosition inEnd) throws IOException {
        for (int i = first; i < end; i++) {
            BinlogPosition found = afterLastGtid(name(i));
            if (found != null) {
                return found;
            }
        }
        return inEnd;
    }

    private SourceException skips(BinlogPosition from, String file) {
        return new SourceException(
                SourceFailure.MISCONFIGURED,
                ("%s: transactions from %s on have no GTID, and with gtid_mode=ON the server sends none of them: set gtid_mode="
                                + "ON_PERMISSIVE there until they are read, or begin after %s")
                        .formatted(facts.address(), from, file));
    }

    /** Where the first transaction without a GTID is, as exactly as the server tells; null if there is none in that file from an offset on. */
    private @Nullable BinlogPosition firstAfter(ServerFacts.File file, long offset) throws IOException {
        if (file.bytes() - offset < SHORTEST_TRANSACTION_BYTES) {
            return null;
        }
        BinlogPosition from = new BinlogPosition(file.name(), offset);
        long[] found = {-1};
        BinlogScan.Visitor first = (header, body, start, end) -> {
            if (header.code() == EventCode.ANONYMOUS_GTID && start >= offset) {
                found[0] = start;
            }
            return found[0] < 0;
        };
        try {
            scan.scan(from, first);
        } catch (ServerErrorException e) {
            if (DumpError.of(e) == DumpError.ANONYMOUS) { // it sends none, to a scan neither
                return from;
            }
            throw e;
        }
        return found[0] < 0 ? null : new BinlogPosition(file.name(), found[0]);
    }

    /** Where the first transaction without a GTID is that follows all of a file that have one; null if there is none. */
    private @Nullable BinlogPosition afterLastGtid(String file) throws IOException {
        AfterLastGtid last = new AfterLastGtid();
        try {
            scan.scan(file, last);
        } catch (ServerErrorException e) {
            if (DumpError.of(e) != DumpError.ANONYMOUS) {
                throw e;
            }
            GtidSet before = last.transactions.executed();
            boolean isAfterAll = before != null && before.containsAll(executed);
            return isAfterAll ? new BinlogPosition(file, last.reached) : null;
        }
        return last.found < 0 ? null : new BinlogPosition(file, last.found);
    }

    private static final class AfterLastGtid implements BinlogScan.Visitor {
        private final FileTransactions transactions = new FileTransactions();
        private long found = -1;
        private long reached;

        @Override
        public boolean visit(EventHeader header, EventBody body, long start, long end) {
            transactions.accept(header, body, start, end);
            switch (header.code()) {
                case EventCode.ANONYMOUS_GTID -> found = found < 0 ? start : found;
                case EventCode.GTID, EventCode.GTID_TAGGED -> found = -1;
                default -> {}
            }
            reached = end;
            return true;
        }
    }
}
