package io.sluice.stream.source.search;

import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A GTID set after which a server is read: tells what its binlog has before and after it.
 *
 * <p>On MySQL a transaction comes after the set if it is not in it. MariaDB decides by places: of each domain it sends what its binlog has after the
 * transaction that the set names, whatever the numbers are, since servers that write one domain may number on their own ({@code gtid_strict_mode=OFF}).
 * So does this class; only if the binlog does not have that transaction, numbers decide. Source: MariaDB's manual, "Global Transaction ID".
 */
final class RequestedSet {
    private final GtidSet set;
    /** The transactions of a set of MariaDB that are in the binlog. */
    private final MariaDbGtidSet placed;

    private RequestedSet(GtidSet set, MariaDbGtidSet placed) {
        this.set = set;
        this.placed = placed;
    }

    /** A set after which one server is read. */
    static RequestedSet of(GtidSet set, ServerFacts facts) throws IOException {
        return set instanceof MariaDbGtidSet own && !own.isEmpty()
                ? new RequestedSet(set, own.among(facts.newestOfServers()))
                : byNumber(set);
    }

    /** A set of which numbers tell what comes after it. */
    static RequestedSet byNumber(GtidSet set) {
        return new RequestedSet(set, MariaDbGtidSet.EMPTY);
    }

    /** Whether no transaction before a file comes after the set, as far as the head of the file states it. */
    boolean hasAllBefore(FileHead head) {
        return hasAllBefore(head, null);
    }

    /**
     * Whether no transaction of some domains that is before a file comes after the set.
     *
     * @param domains only those of which this set has transactions count; null for all, as always on MySQL
     */
    boolean hasAllBefore(FileHead head, @Nullable GtidSet domains) {
        GtidSet before = head.before();
        if (!(before instanceof MariaDbGtidSet) || !(set instanceof MariaDbGtidSet own)) {
            return before == null || set.containsAll(before);
        }
        List<MariaDbGtid> newest = head.newestOfServers();
        for (int i = 0; i < newest.size(); i++) {
            MariaDbGtid gtid = newest.get(i);
            if (domains instanceof MariaDbGtidSet counting && counting.newestOf(gtid.domain()) == null) {
                continue;
            }
            boolean isLast = i + 1 == newest.size() || newest.get(i + 1).domain() != gtid.domain();
            if (!isBeforeEnd(gtid, isLast, own)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether nothing of a domain comes after the set up to the newest transaction of one server.
     *
     * @param isLast whether that is the last one of the domain
     */
    private boolean isBeforeEnd(MariaDbGtid gtid, boolean isLast, MariaDbGtidSet own) {
        MariaDbGtid named = placed.newestOf(gtid.domain());
        if (named == null) {
            return !isLast || own.contains(gtid);
        }
        return !named.isUpTo(gtid) || isLast && named.equals(gtid);
    }

    /** Whether all of the set is before a file, as far as the head of the file states it. */
    boolean isBefore(FileHead head) {
        GtidSet before = head.before();
        if (before == null) {
            return false;
        }
        if (!(before instanceof MariaDbGtidSet all) || !(set instanceof MariaDbGtidSet own)) {
            return before.containsAll(set);
        }
        return all.containsAll(own.subtract(placed))
                && placed.subtract(head.newestOfServers()).isEmpty();
    }

    /** Whether the GTID of a transaction was given when the set was read: one of the server that the set names in its domain, and not a later one. */
    boolean wasGiven(Gtid gtid) {
        MariaDbGtid named = gtid instanceof MariaDbGtid own ? placed.newestOf(own.domain()) : null;
        return named == null ? set.contains(gtid) : gtid instanceof MariaDbGtid own && own.isUpTo(named);
    }

    /**
     * Whether it is certain that no transaction between the begins of two files was given when the set was read: of the servers that count in its domains,
     * the head of the later one states what that of the older one does.
     *
     * @return false if the heads do not tell, as always on MySQL
     */
    boolean hasNoneBetween(FileHead older, FileHead later) {
        if (!(set instanceof MariaDbGtidSet own) || older.before() == null || later.before() == null) {
            return false;
        }
        for (MariaDbGtid gtid : later.newestOfServers()) {
            MariaDbGtid named = placed.newestOf(gtid.domain());
            boolean isCounting = named == null ? own.newestOf(gtid.domain()) != null : named.server() == gtid.server();
            if (isCounting && !older.newestOfServers().contains(gtid)) {
                return false;
            }
        }
        return true;
    }

    /** Begins to follow a binlog, at the head of one of its files. */
    Progress follow() {
        return new Progress();
    }

    /** Follows the transactions of a binlog in their order. For one thread. */
    final class Progress {
        /** The domains of which the transaction that the set names is in what was passed. */
        private final Set<Long> passed = new HashSet<>();

        /** Passes the head of a file. */
        void enter(Collection<MariaDbGtid> newestOfServers) {
            for (MariaDbGtid gtid : newestOfServers) {
                MariaDbGtid named = placed.newestOf(gtid.domain());
                if (named != null && named.isUpTo(gtid)) {
                    passed.add(gtid.domain());
                }
            }
        }

        /** Passes a transaction; returns whether it comes after the set. */
        boolean isAfter(Gtid gtid) {
            MariaDbGtid named = gtid instanceof MariaDbGtid own ? placed.newestOf(own.domain()) : null;
            if (named == null || !(gtid instanceof MariaDbGtid own)) {
                return !set.contains(gtid);
            }
            if (passed.contains(own.domain())) {
                return true;
            }
            if (!named.isUpTo(own)) {
                return false;
            }
            passed.add(own.domain());
            return !named.equals(own);
        }
    }
}
