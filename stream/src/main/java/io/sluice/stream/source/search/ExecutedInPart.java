package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.MariaDbGtidListEvent;
import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells which transactions of a part of a binlog a stream does not read that continues there after a GTID set.
 *
 * <p>On MariaDB the numbers of two servers that write one domain tell nothing: the place of the transaction counts that the set names. It is looked for in the
 * binlog when a transaction of another server is asked for, so where one server writes each domain nothing is looked for. For one thread.
 */
public final class ExecutedInPart {
    private final @Nullable GtidSet executed;
    private final BinlogPosition from;
    private final BinlogPosition until;
    private final @Nullable BinlogScan scan;
    /** Where each domain begins to be read; unknown if what the set names of it is not in the binlog. */
    private final Map<Long, BinlogPosition> begins = new HashMap<>();

    private ExecutedInPart(
            @Nullable GtidSet executed, BinlogPosition from, BinlogPosition until, @Nullable BinlogScan scan) {
        this.executed = executed;
        this.from = from;
        this.until = until;
        this.scan = scan;
    }

    /** Of a stream that reads all of the part. */
    public static ExecutedInPart none() {
        return new ExecutedInPart(null, BinlogPosition.UNKNOWN, BinlogPosition.UNKNOWN, null);
    }

    /**
     * Of a stream that continues after a set.
     *
     * @param executed null if it reads all of the part
     * @param from where the part begins
     * @param until where the binlog ends, as far as it is known
     */
    public static ExecutedInPart of(
            @Nullable GtidSet executed, BinlogPosition from, BinlogPosition until, BinlogScan scan) {
        return new ExecutedInPart(executed, from, until, scan);
    }

    /**
     * Whether the stream does not read a transaction of the part.
     *
     * @param gtid as the binlog has it
     * @param at where one of its events is
     * @throws IOException if the server cannot be read
     */
    public boolean has(String gtid, BinlogPosition at) throws IOException {
        if (executed == null) {
            return false;
        }
        BinlogScan binlog = scan;
        if (binlog == null || !(executed instanceof MariaDbGtidSet set) || !GtidSet.isMariaDb(gtid)) {
            return executed.containsAll(GtidSet.parse(gtid));
        }
        MariaDbGtid asked = MariaDbGtid.parse(gtid);
        MariaDbGtid named = set.newestOf(asked.domain());
        if (named == null || named.server() == asked.server()) {
            return named != null && asked.isUpTo(named);
        }
        BinlogPosition begin = begins.get(asked.domain());
        if (begin == null) {
            begin = beginAfter(named, binlog);
            begins.put(asked.domain(), begin);
        }
        return begin.isKnown() ? at.isBefore(begin) : set.contains(asked);
    }

    /** Where a domain begins to be read: at the begin of the part, or where the named transaction begins in it; unknown if it is in neither. */
    private BinlogPosition beginAfter(MariaDbGtid named, BinlogScan binlog) throws IOException {
        String file = from.file();
        while (BinlogPosition.compareFiles(file, until.file()).orElse(1) <= 0) {
            boolean isLast = file.equals(until.file());
            NamedTransaction search = new NamedTransaction(named, isLast ? until.offset() : Long.MAX_VALUE);
            binlog.scan(file, search);
            if (search.found >= 0) {
                BinlogPosition found = new BinlogPosition(file, search.found);
                return found.isBefore(from) ? from : found;
            }
            if (isLast) {
                break;
            }
            file = next(file);
        }
        return BinlogPosition.UNKNOWN;
    }

    /** The name of the next file of a binlog, whose numbers have no gap. */
    private static String next(String file) {
        int dot = file.lastIndexOf('.');
        String number = file.substring(dot + 1);
        String next = Long.toString(Long.parseLong(number) + 1);
        return file.substring(0, dot + 1) + "0".repeat(Math.max(0, number.length() - next.length())) + next;
    }

    /** Looks in one file for a transaction, or a later one of its server, also among those before the file. */
    private static final class NamedTransaction implements BinlogScan.Visitor {
        private final MariaDbGtid named;
        private final long until;
        private long found = -1;

        /** @param until the offset at which the search ends */
        NamedTransaction(MariaDbGtid named, long until) {
            this.named = named;
            this.until = until;
        }

        @Override
        public boolean visit(EventHeader header, EventBody body, long start, long end) {
            if (start >= until) {
                return false;
            }
            if (header.code() == EventCode.MARIADB_GTID_LIST) {
                found = MariaDbGtidListEvent.decode(body).gtids().stream().anyMatch(named::isUpTo)
                        ? DumpRequest.FIRST_POSITION
                        : -1;
            } else {
                Gtid gtid = FileTransactions.gtidOf(header, body);
                found = gtid instanceof MariaDbGtid own && named.isUpTo(own) ? start : -1;
            }
            return found < 0;
        }
    }
}
