package io.sluice.parse.gtid;

import java.util.Collection;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which transactions of MariaDB were seen: the newest of every domain, and with it all before it.
 *
 * <p>Its text is MariaDB's, {@code 0-1-100,7-1-3}, in the order of the domains. Source: MariaDB's manual, "Global
 * Transaction ID". For one thread.
 */
public final class MariaDbGtidSet implements SeenTransactions {
    private final SortedMap<Long, MariaDbGtid> newestByDomain = new TreeMap<>();

    /** The empty set. */
    public MariaDbGtidSet() {}

    /** A set in which these are the newest of their domains. */
    public MariaDbGtidSet(Collection<MariaDbGtid> newest) {
        newest.forEach(this::add);
    }

    /**
     * Reads a set.
     *
     * @param text as {@code gtid_binlog_pos} shows it, blanks allowed; empty for the empty set
     * @throws IllegalArgumentException if it is none, or names a domain twice
     */
    public static MariaDbGtidSet parse(String text) {
        MariaDbGtidSet set = new MariaDbGtidSet();
        for (String part : text.split(",")) {
            if (part.isBlank()) {
                continue;
            }
            MariaDbGtid gtid = MariaDbGtid.parse(part.strip());
            if (set.newestByDomain.put(gtid.domain(), gtid) != null) {
                throw new IllegalArgumentException("not a GTID position: '" + text + "' has two GTIDs of one domain");
            }
        }
        return set;
    }

    /** Adds a transaction that came behind all others of its domain, whatever its number. */
    public void add(MariaDbGtid gtid) {
        newestByDomain.put(gtid.domain(), gtid);
    }

    /** Whether the transaction, or one behind it in its domain, is in the set. */
    public boolean contains(MariaDbGtid gtid) {
        MariaDbGtid newest = newestByDomain.get(gtid.domain());
        return newest != null && Long.compareUnsigned(newest.sequence(), gtid.sequence()) >= 0;
    }

    /** Whether every transaction of the other set is in this one. */
    public boolean containsAll(MariaDbGtidSet other) {
        return other.newestByDomain.values().stream().allMatch(this::contains);
    }

    @Override
    public boolean isEmpty() {
        return newestByDomain.isEmpty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MariaDbGtidSet that && newestByDomain.equals(that.newestByDomain);
    }

    @Override
    public int hashCode() {
        return newestByDomain.hashCode();
    }

    @Override
    public String toString() {
        StringJoiner gtids = new StringJoiner(",");
        newestByDomain.values().forEach(gtid -> gtids.add(gtid.toString()));
        return gtids.toString();
    }
}
