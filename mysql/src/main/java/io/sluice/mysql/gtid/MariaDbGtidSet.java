package io.sluice.mysql.gtid;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A GTID position of MariaDB: the newest transaction of every domain, and with it all before it in that domain.
 *
 * <p>Its text is MariaDB's, {@code 0-1-100,7-1-3}, ordered by domain. Source: MariaDB's manual, "Global Transaction ID".
 */
public final class MariaDbGtidSet implements GtidSet {
    /** The empty set. */
    public static final MariaDbGtidSet EMPTY = new MariaDbGtidSet(new MariaDbGtid[0]);

    /** One for each domain, in the order in which the domains were seen. */
    private final MariaDbGtid[] newest;

    private MariaDbGtidSet(MariaDbGtid[] newest) {
        this.newest = newest;
    }

    /** The set in which these are the newest of their domains; of two of one domain, the later one counts. */
    public static MariaDbGtidSet of(Collection<MariaDbGtid> newest) {
        Map<Long, MariaDbGtid> byDomain = new LinkedHashMap<>();
        newest.forEach(gtid -> byDomain.put(gtid.domain(), gtid));
        return of(byDomain);
    }

    private static MariaDbGtidSet of(Map<Long, MariaDbGtid> byDomain) {
        return new MariaDbGtidSet(byDomain.values().toArray(MariaDbGtid[]::new));
    }

    /**
     * Parses a set.
     *
     * @param text as {@code gtid_binlog_pos} shows it, blanks allowed; empty for the empty set
     * @throws IllegalArgumentException if it is none, or names a domain twice
     */
    public static MariaDbGtidSet parse(String text) {
        Map<Long, MariaDbGtid> byDomain = new LinkedHashMap<>();
        for (String part : text.split(",")) {
            if (part.isBlank()) {
                continue;
            }
            MariaDbGtid gtid = MariaDbGtid.parse(part.strip());
            if (byDomain.put(gtid.domain(), gtid) != null) {
                throw new IllegalArgumentException("not a GTID position: '" + text + "' has two GTIDs of one domain");
            }
        }
        return of(byDomain);
    }

    /** Returns this set with a transaction that follows all others of its domain, whatever its number. */
    public MariaDbGtidSet plus(MariaDbGtid gtid) {
        int at = indexOf(gtid.domain());
        MariaDbGtid[] changed = at < 0 ? Arrays.copyOf(newest, newest.length + 1) : newest.clone();
        changed[at < 0 ? newest.length : at] = gtid;
        return new MariaDbGtidSet(changed);
    }

    private int indexOf(long domain) {
        for (int i = 0; i < newest.length; i++) {
            if (newest[i].domain() == domain) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public boolean isEmpty() {
        return newest.length == 0;
    }

    /** Whether it has transactions of more than one domain. */
    public boolean hasSeveralDomains() {
        return newest.length > 1;
    }

    /** The newest transactions, one of each domain. */
    public List<MariaDbGtid> newest() {
        return List.of(newest);
    }

    /** The newest transaction of a domain; null if the set has none of it. */
    public @Nullable MariaDbGtid newestOf(long domain) {
        int at = indexOf(domain);
        return at < 0 ? null : newest[at];
    }

    /**
     * Whether numbers tell which of the two sets is later in each domain that both have: only if the newest transactions are of one server, since servers
     * that write one domain may number on their own.
     */
    public boolean isOrderedByNumber(MariaDbGtidSet other) {
        for (MariaDbGtid gtid : newest) {
            MariaDbGtid otherGtid = other.newestOf(gtid.domain());
            if (otherGtid != null && otherGtid.server() != gtid.server()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether the newest transaction of its domain has the same number as this one, or a larger one. Where several servers write the domain, that does not tell
     * whether this one comes before it.
     */
    @Override
    public boolean contains(Gtid gtid) {
        if (!(gtid instanceof MariaDbGtid own)) {
            return false;
        }
        int at = indexOf(own.domain());
        return at >= 0 && Long.compareUnsigned(newest[at].sequence(), own.sequence()) >= 0;
    }

    @Override
    public boolean containsAll(GtidSet other) {
        return other instanceof MariaDbGtidSet own
                ? Arrays.stream(own.newest).allMatch(this::contains)
                : other.isEmpty();
    }

    /** Returns the transactions of this set that are not in the other one: the newest of each domain of which that lacks it. */
    public MariaDbGtidSet subtract(MariaDbGtidSet other) {
        return new MariaDbGtidSet(
                Arrays.stream(newest).filter(gtid -> !other.contains(gtid)).toArray(MariaDbGtid[]::new));
    }

    /**
     * Returns the transactions of this set that a server does not have which tells the newest one of each server in each domain: servers that write one
     * domain may number on their own, so that a later transaction of it has a lower number.
     *
     * @param newestOfServers as {@code gtid_binlog_state} has them
     */
    public MariaDbGtidSet subtract(Collection<MariaDbGtid> newestOfServers) {
        return new MariaDbGtidSet(Arrays.stream(newest)
                .filter(gtid -> newestOfServers.stream().noneMatch(gtid::isUpTo))
                .toArray(MariaDbGtid[]::new));
    }

    /** Returns the transactions of this set that such a server has: the rest of {@link #subtract(Collection)}. */
    public MariaDbGtidSet among(Collection<MariaDbGtid> newestOfServers) {
        return new MariaDbGtidSet(Arrays.stream(newest)
                .filter(gtid -> newestOfServers.stream().anyMatch(gtid::isUpTo))
                .toArray(MariaDbGtid[]::new));
    }

    /** Returns this set without the domains in which the other one names the same transaction. */
    public MariaDbGtidSet withoutEqual(MariaDbGtidSet other) {
        return new MariaDbGtidSet(Arrays.stream(newest)
                .filter(gtid -> !gtid.equals(other.newestOf(gtid.domain())))
                .toArray(MariaDbGtid[]::new));
    }

    /** Returns this set without the domains of which the other one has no transaction. */
    public MariaDbGtidSet inDomainsOf(MariaDbGtidSet other) {
        return new MariaDbGtidSet(Arrays.stream(newest)
                .filter(gtid -> other.indexOf(gtid.domain()) >= 0)
                .toArray(MariaDbGtid[]::new));
    }

    private MariaDbGtid[] byDomain() {
        MariaDbGtid[] sorted = newest.clone();
        Arrays.sort(sorted, Comparator.comparingLong(MariaDbGtid::domain));
        return sorted;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MariaDbGtidSet that && Arrays.equals(byDomain(), that.byDomain());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(byDomain());
    }

    @Override
    public String toString() {
        return Arrays.stream(byDomain()).map(MariaDbGtid::toString).collect(Collectors.joining(","));
    }
}
