package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.MariaDbGtidListEvent;
import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the first transaction of a binlog that a server sends if it is requested by a set. */
public final class GtidSearch {
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
    public static GtidSearch of(String gtidSet) {
        return new GtidSearch(GtidSet.parse(gtidSet));
    }

    /** Makes a search for the first transaction after a set. */
    public static GtidSearch of(GtidSet seen) {
        return new GtidSearch(seen);
    }

    /**
     * Where the first transaction begins that comes after the set, or where the binlog ends if none does. No transaction before it comes after the set;
     * some that follow may not either.
     *
     * @return null if transactions that come after the set were purged
     */
    public @Nullable BinlogPosition find(ServerFacts facts, BinlogScan scan) throws IOException {
        BinlogPosition end = facts.end().position(); // before it is scanned: what comes then is found
        RequestedSet requested = RequestedSet.of(seen, facts);
        List<ServerFacts.File> files = facts.files();
        int first = new FileHeads(files, scan).newestWithin(requested);
        if (first < 0) {
            return null;
        }
        RequestedSet.Progress progress = requested.follow();
        for (ServerFacts.File file : files.subList(first, files.size())) {
            long offset = findIn(file.name(), progress, scan);
            if (offset != NOWHERE) {
                return new BinlogPosition(file.name(), offset);
            }
        }
        return end;
    }

    /** The set, as the server writes it. */
    String text() {
        return seen.toString();
    }

    /** Where the first transaction of a file begins that comes after the set; -1 if none does. */
    private static long findIn(String file, RequestedSet.Progress progress, BinlogScan scan) throws IOException {
        long[] found = {NOWHERE};
        scan.scan(file, (header, body, start, end) -> {
            if (header.code() == EventCode.MARIADB_GTID_LIST) {
                progress.enter(MariaDbGtidListEvent.decode(body).gtids());
                return true;
            }
            Gtid gtid = FileTransactions.gtidOf(header, body);
            if (gtid != null && progress.isAfter(gtid)) {
                found[0] = start;
            }
            return found[0] == NOWHERE;
        });
        return found[0];
    }
}
