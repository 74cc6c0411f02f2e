package io.sluice.parse.source;

import io.sluice.parse.binlog.EventBody;
import io.sluice.parse.binlog.EventCode;
import io.sluice.parse.binlog.EventHeader;
import io.sluice.parse.binlog.GtidEvent;
import io.sluice.parse.binlog.MariaDbGtidEvent;
import io.sluice.parse.binlog.MariaDbGtidListEvent;
import io.sluice.parse.binlog.PreviousGtidsEvent;
import io.sluice.parse.gtid.GtidSet;
import io.sluice.parse.gtid.MariaDbGtidSet;
import io.sluice.parse.gtid.SeenTransactions;
import java.io.IOException;

/** Finds the first transaction of a binlog that is not in a set. */
final class GtidSearch {
    private static final long NOWHERE = -1;

    private final SeenTransactions seen;

    private GtidSearch(SeenTransactions seen) {
        this.seen = seen;
    }

    /**
     * Makes a search.
     *
     * @throws IllegalArgumentException if the text is no set
     */
    static GtidSearch of(String gtidSet) {
        return new GtidSearch(SeenTransactions.parse(gtidSet));
    }

    /** The set, as the server writes it. */
    String text() {
        return seen.toString();
    }

    /** Whether all transactions before a file are in the set. */
    boolean holdsAllBefore(String file, BinlogScan scan) throws IOException {
        boolean[] holds = {true};
        scan.scan(file, (header, body, start, end) -> {
            if (header.code() == EventCode.PREVIOUS_GTIDS && seen instanceof GtidSet mine) {
                holds[0] = mine.containsAll(PreviousGtidsEvent.decode(body).gtids());
            } else if (header.code() == EventCode.MARIADB_GTID_LIST && seen instanceof MariaDbGtidSet mine) {
                holds[0] = mine.containsAll(
                        new MariaDbGtidSet(MariaDbGtidListEvent.decode(body).gtids()));
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
            if (isMissing(header, body)) {
                found[0] = start;
            }
            return found[0] == NOWHERE;
        });
        return found[0];
    }

    private boolean isMissing(EventHeader header, EventBody body) {
        return switch (header.code()) {
            case EventCode.GTID ->
                seen instanceof GtidSet mine
                        && !mine.contains(GtidEvent.decode(body).gtid());
            case EventCode.GTID_TAGGED ->
                seen instanceof GtidSet mine
                        && !mine.contains(GtidEvent.decodeTagged(body).gtid());
            case EventCode.MARIADB_GTID ->
                seen instanceof MariaDbGtidSet mine
                        && !mine.contains(MariaDbGtidEvent.decode(header, body).gtid());
            default -> false;
        };
    }
}
