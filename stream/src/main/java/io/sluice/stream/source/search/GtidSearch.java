package io.sluice.stream.source.search;

import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the first transaction of a binlog that is not in a set. */
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

    /** Makes a search for the first transaction that is not in a set. */
    public static GtidSearch of(GtidSet seen) {
        return new GtidSearch(seen);
    }

    /**
     * Where the first transaction begins that is not in the set, or where the binlog ends if all are. All transactions before it are in the set;
     * some after it may be, too.
     *
     * @return null if transactions that are not in the set were purged
     */
    public @Nullable BinlogPosition find(ServerFacts facts, BinlogScan scan) throws IOException {
        BinlogPosition end = facts.end().position(); // before it is scanned: what comes then is found
        List<ServerFacts.File> files = facts.files();
        int first = new FileHeads(files, scan).newestWithin(seen);
        if (first < 0) {
            return null;
        }
        for (ServerFacts.File file : files.subList(first, files.size())) {
            long offset = findIn(file.name(), scan);
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

    /** Where the first transaction of a file begins that is not in the set; -1 if all are. */
    private long findIn(String file, BinlogScan scan) throws IOException {
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
