package io.sluice.mysql.gtid;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A set of MySQL GTIDs: for every server and tag, the intervals of its transaction numbers.
 *
 * <p>Its text is MySQL's, {@code uuid:1-5:7:tag:1-3,uuid:2}; tags, which MySQL knows since 8.3, follow the numbers that have
 * none. Its binary form is {@link GtidSetBytes}. Source: MySQL's manual, "GTID Format and Storage".
 *
 * <p>Of a set that extends another one by a transaction, the text is that of the other one with another number in it: each transaction of
 * a stream may need it, and a set may have hundreds of servers.
 *
 * <p>It is a base, which sets share, and the runs of transactions that were added since. A transaction mostly extends a run,
 * which copies an array of a few numbers. When there would be too many runs, they are merged into a new base, which shares what did not
 * change with the former one: a store may hold the sets of tens of thousands of transactions.
 */
public final class MySqlGtidSet implements GtidSet {
    /** The empty set. */
    public static final MySqlGtidSet EMPTY = new MySqlGtidSet(new MySqlIntervals());

    /** Enough for all members of a group and for the channels of most replicas, so that their runs are seldom merged. */
    private static final int MAX_RUNS = 64;

    private final Base base;
    private final long[] lasts;

    /** The part that several sets share. Immutable, but for the text. */
    private static final class Base {
        /** Never changed. */
        private final MySqlIntervals intervals;

        /** The first transaction of each run; the others of the run have its source and its tag. */
        private final List<MySqlGtid> firsts;

        /** Shared by all sets that were made of one another. */
        private final LastText text;

        Base(MySqlIntervals intervals, List<MySqlGtid> firsts, LastText text) {
            this.intervals = intervals;
            this.firsts = firsts;
            this.text = text;
        }
    }

    /** The text that was made last. Only one is kept: it may be large, and a store keeps many sets. */
    private static final class LastText {
        /** Of any of the sets; threads may replace each other's. */
        private @Nullable OfBase known;

        private record OfBase(Base base, GrowingGtidText text) {}
    }

    private MySqlGtidSet(MySqlIntervals intervals) {
        this(intervals, new LastText());
    }

    private MySqlGtidSet(MySqlIntervals intervals, LastText text) {
        this(new Base(intervals, List.of(), text), new long[0]);
    }

    private MySqlGtidSet(Base base, long[] lasts) {
        this.base = base;
        this.lasts = lasts;
    }

    /**
     * Parses a set.
     *
     * @param text as MySQL prints it, blanks and line ends allowed; empty for the empty set
     * @throws IllegalArgumentException if it is none
     */
    public static MySqlGtidSet parse(String text) {
        return text.isBlank() ? EMPTY : new MySqlGtidSet(MySqlIntervals.parse(text));
    }

    /** Collects transactions of a set. For one thread. */
    public static final class Builder {
        private final MySqlIntervals intervals = new MySqlIntervals();

        /**
         * Adds an interval of transactions.
         *
         * @param tag empty for none
         * @param first the number of the first, at least 1
         * @param last the number of the last, inclusive
         * @throws IllegalArgumentException if these are no such numbers or no tag
         */
        public Builder add(UUID source, String tag, long first, long last) {
            intervals.add(source, tag, first, last);
            return this;
        }

        /** The set of all that was added up to now. */
        public MySqlGtidSet build() {
            return new MySqlGtidSet(intervals.copy());
        }
    }

    /** Returns this set with one transaction more. */
    public MySqlGtidSet plus(MySqlGtid gtid) {
        for (int i = 0; i < lasts.length; i++) {
            MySqlGtid first = base.firsts.get(i);
            if (lasts[i] + 1 == gtid.number()
                    && first.source().equals(gtid.source())
                    && first.tag().equals(gtid.tag())) {
                long[] extended = lasts.clone();
                extended[i]++;
                return new MySqlGtidSet(base, extended);
            }
        }
        if (lasts.length == MAX_RUNS) {
            return new MySqlGtidSet(intervals(), base.text).plus(gtid);
        }
        List<MySqlGtid> firsts =
                Stream.concat(base.firsts.stream(), Stream.of(gtid)).toList();
        long[] more = Arrays.copyOf(lasts, lasts.length + 1);
        more[lasts.length] = gtid.number();
        return new MySqlGtidSet(new Base(base.intervals, firsts, isEmpty() ? new LastText() : base.text), more);
    }

    /** All transactions in one map; not to be changed. */
    MySqlIntervals intervals() {
        if (lasts.length == 0) {
            return base.intervals;
        }
        return base.intervals.with(base.firsts, lasts);
    }

    @Override
    public boolean isEmpty() {
        return lasts.length == 0 && base.intervals.isEmpty();
    }

    @Override
    public boolean contains(Gtid gtid) {
        return gtid instanceof MySqlGtid own && (isInRun(own) || base.intervals.contains(own));
    }

    private boolean isInRun(MySqlGtid gtid) {
        for (int i = 0; i < lasts.length; i++) {
            MySqlGtid first = base.firsts.get(i);
            if (gtid.number() <= lasts[i]
                    && gtid.number() >= first.number()
                    && first.source().equals(gtid.source())
                    && first.tag().equals(gtid.tag())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean containsAll(GtidSet other) {
        return other instanceof MySqlGtidSet own ? intervals().containsAll(own.intervals()) : other.isEmpty();
    }

    /** Returns the transactions of both sets. */
    public MySqlGtidSet union(MySqlGtidSet other) {
        return new MySqlGtidSet(intervals().union(other.intervals()));
    }

    /** Returns the transactions of this set that the other one does not have. */
    public MySqlGtidSet subtract(MySqlGtidSet other) {
        return new MySqlGtidSet(intervals().subtract(other.intervals()));
    }

    /** Whether any of its transactions has a tag, so that servers before 8.3 cannot read it. */
    public boolean hasTags() {
        return intervals().hasTags();
    }

    /** How many transactions it has. */
    public long count() {
        return intervals().count();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MySqlGtidSet that && intervals().equals(that.intervals());
    }

    @Override
    public int hashCode() {
        return intervals().hashCode();
    }

    @Override
    public String toString() {
        LastText.OfBase known = base.text.known;
        if (known == null || known.base() != base || !known.text().isOf(lasts)) {
            known = new LastText.OfBase(base, GrowingGtidText.of(intervals(), base.firsts, lasts));
            base.text.known = known;
        }
        return known.text().with(lasts);
    }
}
