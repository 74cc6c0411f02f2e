package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.MariaDbGtidListEvent;
import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The order of the transactions in the binlog of a server of MariaDB, also of servers that write one domain and number on their own.
 *
 * <p>The numbers of one server grow in each domain, so the heads of the files tell in which one a transaction is. Only if two are in one file, that is
 * read, and once. The binlog is taken as it is when it is asked for the first time. For one thread.
 */
public final class BinlogOrder {
    private final ServerFacts facts;
    private final BinlogScan scan;
    private final Map<MariaDbGtid, Integer> fileOf = new HashMap<>();
    /** Of a file, the last one of each run of transactions of one server that follow one another in their domain. */
    private final Map<Integer, List<MariaDbGtid>> runsOf = new HashMap<>();

    private @Nullable Binlog binlog;

    /** @param scan reads the binlog of the server of the facts */
    public BinlogOrder(ServerFacts facts, BinlogScan scan) {
        this.facts = facts;
        this.scan = scan;
    }

    /** What was asked of the server. */
    private record Binlog(List<MariaDbGtid> newestOfServers, List<ServerFacts.File> files, FileHeads heads) {}

    /**
     * Whether a transaction is the newest one of its domain in a set, or is before that one in the binlog.
     *
     * @return null if that cannot be determined: the binlog does not have what the set names, or nothing of the other one's server, or both were purged, or
     *     the server does not let its binlog be looked up
     * @throws IOException if the server cannot be read
     */
    public @Nullable Boolean isWithin(MariaDbGtidSet set, MariaDbGtid gtid) throws IOException {
        MariaDbGtid named = set.newestOf(gtid.domain());
        if (named == null || named.server() == gtid.server()) {
            return named != null && gtid.isUpTo(named);
        }
        try {
            return isBefore(gtid, named);
        } catch (ServerErrorException e) {
            if (!DumpCheck.isRejection(e)) {
                throw e;
            }
            return null;
        }
    }

    /**
     * Whether all that a set names is before a position of the binlog, except for what the binlog does not have.
     *
     * @return true, too, if the server does not let its binlog be looked up
     * @throws IOException if the server cannot be read
     */
    public boolean isBefore(MariaDbGtidSet set, BinlogPosition position) throws IOException {
        try {
            Set<MariaDbGtid> left =
                    new HashSet<>(set.among(binlog().newestOfServers()).newest());
            scan.scan(position.file(), (header, body, start, end) -> {
                if (start >= position.offset()) {
                    return false;
                }
                if (header.code() == EventCode.MARIADB_GTID_LIST) {
                    List<MariaDbGtid> before = MariaDbGtidListEvent.decode(body).gtids();
                    left.removeIf(named -> before.stream().anyMatch(named::isUpTo));
                } else if (FileTransactions.gtidOf(header, body) instanceof MariaDbGtid gtid) {
                    left.removeIf(named -> named.isUpTo(gtid));
                }
                return !left.isEmpty();
            });
            return left.isEmpty();
        } catch (ServerErrorException e) {
            if (!DumpCheck.isRejection(e)) {
                throw e;
            }
            return true;
        }
    }

    /** The same for a transaction of another server than the one that is named. */
    private @Nullable Boolean isBefore(MariaDbGtid gtid, MariaDbGtid named) throws IOException {
        Binlog asked = binlog();
        if (asked.newestOfServers().stream().noneMatch(named::isUpTo) || !hasServerOf(gtid, asked.newestOfServers())) {
            return null;
        }
        if (asked.newestOfServers().stream().noneMatch(gtid::isUpTo)) {
            return false; // the server gets it later, if at all
        }
        int fileOfNamed = fileOf(named, asked);
        int file = fileOf(gtid, asked);
        if (file != fileOfNamed) {
            return file < fileOfNamed;
        }
        return file < 0 ? null : isBefore(gtid, named, file, asked);
    }

    private static boolean hasServerOf(MariaDbGtid gtid, List<MariaDbGtid> newestOfServers) {
        return newestOfServers.stream().anyMatch(one -> one.domain() == gtid.domain() && one.server() == gtid.server());
    }

    private Binlog binlog() throws IOException {
        Binlog known = binlog;
        if (known == null) {
            List<MariaDbGtid> newest = facts.newestOfServers(); // before the files, which have all of these
            List<ServerFacts.File> files = facts.files();
            known = new Binlog(newest, files, new FileHeads(files, scan));
            binlog = known;
        }
        return known;
    }

    /** The index of the file in which a transaction is; -1 if it was purged. */
    private int fileOf(MariaDbGtid gtid, Binlog asked) throws IOException {
        Integer known = fileOf.get(gtid);
        if (known == null) {
            FileHeads heads = asked.heads();
            known = NewestFile.before(
                    asked.files().size(),
                    file -> heads.sent(file).newestOfServers().stream().noneMatch(gtid::isUpTo));
            fileOf.put(gtid, known);
        }
        return known;
    }

    /** The same for two that are in one file; null if the file does not have the one that is named, as after a crash of the server. */
    private @Nullable Boolean isBefore(MariaDbGtid gtid, MariaDbGtid named, int file, Binlog asked) throws IOException {
        List<MariaDbGtid> runs = runsOf.get(file);
        if (runs == null) {
            runs = runs(asked.files().get(file).name());
            runsOf.put(file, runs);
        }
        for (MariaDbGtid last : runs) {
            if (gtid.isUpTo(last)) {
                return true;
            }
            if (named.isUpTo(last)) {
                return false;
            }
        }
        return null;
    }

    private List<MariaDbGtid> runs(String file) throws IOException {
        List<MariaDbGtid> runs = new ArrayList<>();
        Map<Long, Integer> newestOfDomain = new HashMap<>();
        scan.scan(file, (header, body, start, end) -> {
            Gtid gtid = header.code() == EventCode.MARIADB_GTID ? FileTransactions.gtidOf(header, body) : null;
            if (gtid instanceof MariaDbGtid own) {
                Integer newest = newestOfDomain.get(own.domain());
                if (newest != null && runs.get(newest).isUpTo(own)) {
                    runs.set(newest, own);
                } else {
                    newestOfDomain.put(own.domain(), runs.size());
                    runs.add(own);
                }
            }
            return true;
        });
        return runs;
    }
}
