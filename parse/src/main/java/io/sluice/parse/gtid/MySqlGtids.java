package io.sluice.parse.gtid;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A GTID set that grows without being copied: a base that all share, and the runs of transactions that were seen since.
 *
 * <p>A transaction mostly prolongs a run, which takes an array of a few numbers. Where it begins one too many, all runs
 * become part of a new base.
 */
public final class MySqlGtids implements ExecutedGtids {
    private static final int MOST_RUNS = 8;

    private final Base base;
    private final long[] lasts;

    /** @param firsts the first transaction of each run; those behind it have its source and its tag */
    private record Base(GtidSet set, List<Gtid> firsts) {}

    private MySqlGtids(Base base, long[] lasts) {
        this.base = base;
        this.lasts = lasts;
    }

    /** The transactions that {@code set} has now. */
    public static MySqlGtids of(GtidSet set) {
        return new MySqlGtids(new Base(set.copy(), List.of()), new long[0]);
    }

    /** Reads a set as MySQL prints it; see {@link GtidSet#parse}. */
    public static MySqlGtids parse(String text) {
        return of(GtidSet.parse(text));
    }

    /** These and one transaction more. */
    public MySqlGtids plus(Gtid gtid) {
        for (int i = 0; i < lasts.length; i++) {
            Gtid first = base.firsts.get(i);
            if (lasts[i] + 1 == gtid.number()
                    && first.source().equals(gtid.source())
                    && first.tag().equals(gtid.tag())) {
                long[] longer = lasts.clone();
                longer[i]++;
                return new MySqlGtids(base, longer);
            }
        }
        if (lasts.length == MOST_RUNS) {
            return new MySqlGtids(new Base(set(), List.of()), new long[0]).plus(gtid);
        }
        List<Gtid> firsts = Stream.concat(base.firsts.stream(), Stream.of(gtid)).toList();
        long[] more = Arrays.copyOf(lasts, lasts.length + 1);
        more[lasts.length] = gtid.number();
        return new MySqlGtids(new Base(base.set, firsts), more);
    }

    /** The same transactions as a set of the caller's own. */
    public GtidSet set() {
        GtidSet set = base.set.copy();
        for (int i = 0; i < lasts.length; i++) {
            Gtid first = base.firsts.get(i);
            set.add(first.source(), first.tag(), first.number(), lasts[i]);
        }
        return set;
    }

    @Override
    public boolean isEmpty() {
        return lasts.length == 0 && base.set.isEmpty();
    }

    @Override
    public String text() {
        return set().toString();
    }

    @Override
    public String toString() {
        return text();
    }
}
