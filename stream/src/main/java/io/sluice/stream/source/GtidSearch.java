package io.sluice.stream.source;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.MariaDbGtidListEvent;
import io.sluice.mysql.binlog.PreviousGtidsEvent;
import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import java.io.IOException;

/** Finds the first transaction of a binlog that is not in a set. */
final class GtidSearch {
    private static final long NOWHERE = -1;

    private final GtidSet seen;

    private GtidSearch(GtidSet seen) {
        this.seen = seen;
    }

    /**
     * Makes a search.
     *
     * @throws IllegalArgumentException if the text is no set
     */
    static GtidSearch of(String gtidSet) {
        return new GtidSearch(GtidSet.parse(gtidSet));
    }

    /** The set, as the server writes it. */
    String text() {
        return seen.toString();
    }

    /** Whether all transactions before a file are in the set. */
    boolean holdsAllBefore(String file, BinlogScan scan) throws IOException {
        boolean[] holds = {true};
        scan.scan(file, (header, body, start, end) -> {
            if (header.code() == EventCode.PREVIOUS_GTIDS) {
                holds[0] = seen.containsAll(PreviousGtidsEvent.decode(body).gtids());
            } else if (header.code() == EventCode.MARIADB_GTID_LIST) {
                holds[0] = seen.containsAll(
                        MariaDbGtidSet.of(MariaDbGtidListEvent.decode(body).gtids()));
            } else {
                return header.code() == EventCode.FORMAT_DESCRIPTION;
            }
            return false;
        });
        return holds[0];
    }

    /** Where the first transaction of a file begins that is not in the set; -1 if all are. */
    long findIn(String file, BinlogScan scan) throws IOException {
        long[] found = {NOWHERE};
        scan.scan(file, (header, body, start, end) -> {
            Gtid gtid = FileTransactions.gtidOf(header, body);
            if (gtid != null && !seen.contains(gtid)) {
                found[0] = start;
            }
            return found[0] == NOWHERE;
        });
        return found[0];
    }
}
