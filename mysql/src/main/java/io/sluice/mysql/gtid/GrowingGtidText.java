package io.sluice.mysql.gtid;

import io.sluice.mysql.gtid.Intervals.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text of a {@link MySqlGtidSet} and where the last transaction of each run is in it, so that the texts of the sets after it, of which
 * the runs are longer, need not be made of all intervals again.
 *
 * <pre>
 *   text   aaaa:1-70:80,bbbb:1-5:7
 *                 ^^               one run ends with 70: the text is right for 70 to 78, since 79 joins the next interval
 *                              ^   another one ends with 7: for any number from 7 on
 * </pre>
 *
 * <p>Immutable.
 */
final class GrowingGtidText {
    private final String text;

    /** In the order of the text. */
    private final List<Ending> endings;

    /** For each run, the number of its last transaction in the text. */
    private final long[] from;

    /** For each run, up to which number of its last transaction only its ending is different. */
    private final long[] until;

    /**
     * The end of an interval that grows with a run.
     *
     * @param run the index of the run
     * @param first the first number of the interval
     * @param begin where {@code -last} is in the text, or would be
     * @param end where the text after it begins
     */
    private record Ending(int run, long first, int begin, int end) {}

    private GrowingGtidText(String text, List<Ending> endings, long[] from, long[] until) {
        this.text = text;
        this.endings = endings;
        this.from = from;
        this.until = until;
    }

    /**
     * Makes the text of a set.
     *
     * @param intervals all transactions of the set
     * @param firsts the first transaction of each run
     * @param lasts the number of the last transaction of each run
     */
    static GrowingGtidText of(MySqlIntervals intervals, List<MySqlGtid> firsts, long[] lasts) {
        Maker maker = new Maker(firsts, lasts);
        StringBuilder text = new StringBuilder();
        intervals.writeText(text, maker);
        return new GrowingGtidText(text.toString(), List.copyOf(maker.endings), lasts, maker.until);
    }

    /** Whether the text of a set with the same firsts and these lasts can be made of this one. */
    boolean isOf(long[] lasts) {
        for (int i = 0; i < lasts.length; i++) {
            if (lasts[i] < from[i] || lasts[i] > until[i]) {
                return false;
            }
        }
        return true;
    }

    /** The text of the set with these lasts. */
    String with(long[] lasts) {
        if (Arrays.equals(lasts, from)) {
            return text;
        }
        StringBuilder changed = new StringBuilder(text.length() + 20 * endings.size());
        int at = 0;
        for (Ending ending : endings) {
            changed.append(text, at, ending.begin);
            Intervals.writeLast(changed, ending.first, lasts[ending.run]);
            at = ending.end;
        }
        return changed.append(text, at, text.length()).toString();
    }

    /** Finds the runs in the text while it is written. */
    private static final class Maker implements MySqlIntervals.TextListener {
        /** The indexes of the runs, by source. */
        private final Map<String, List<Integer>> runs = new HashMap<>();

        private final List<MySqlGtid> firsts;
        private final long[] lasts;
        private final long[] until;
        private final List<Ending> endings = new ArrayList<>();

        /** The ending that was found last, and the source and tag that it is of. */
        private @Nullable Ending ending;

        private String source = "";
        private String tag = "";

        Maker(List<MySqlGtid> firsts, long[] lasts) {
            for (int run = 0; run < lasts.length; run++) {
                runs.computeIfAbsent(firsts.get(run).source().toString(), source -> new ArrayList<>())
                        .add(run);
            }
            this.firsts = firsts;
            this.lasts = lasts;
            this.until = lasts.clone();
        }

        @Override
        public void wrote(String ofSource, String ofTag, Interval interval, int begin, int end) {
            Ending before = ending;
            if (before != null && source.equals(ofSource) && tag.equals(ofTag)) {
                until[before.run] = Math.min(until[before.run], interval.first() - 2); // one more would join both
            }
            ending = null;
            for (int run : runs.getOrDefault(ofSource, List.of())) {
                if (interval.first() <= lasts[run]
                        && lasts[run] <= interval.last()
                        && firsts.get(run).tag().equals(ofTag)) {
                    take(run, interval, begin, end);
                }
            }
            if (ending != null) {
                endings.add(ending);
                source = ofSource;
                tag = ofTag;
            }
        }

        private void take(int run, Interval interval, int begin, int end) {
            Ending other = ending;
            if (lasts[run] < interval.last()
                    || other != null) { // the interval ends with what another run or the base has
                until[run] = interval.last();
                if (other != null && lasts[run] == interval.last()) {
                    until[other.run] = interval.last();
                }
            } else {
                until[run] = Long.MAX_VALUE;
                ending = new Ending(run, interval.first(), begin, end);
            }
        }
    }
}
