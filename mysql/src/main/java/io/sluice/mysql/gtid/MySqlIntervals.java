package io.sluice.mysql.gtid;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The intervals of transaction numbers of a {@link MySqlGtidSet}, by server and tag. Mutable; for one thread while it changes. */
final class MySqlIntervals {
    private static final String NO_TAG = "";

    /** Keyed by the text of the UUID: consumers see servers in the order of this map, as canal's consumers do. */
    private final Map<String, SortedMap<String, Intervals>> tagsBySource;

    /** The initial capacity of the map; it is part of the order. */
    private final int capacity;

    /** The empty set. */
    MySqlIntervals() {
        this(16);
    }

    private MySqlIntervals(int capacity) {
        this.capacity = capacity;
        this.tagsBySource = new HashMap<>(capacity);
    }

    /**
     * Reads a set.
     *
     * @param text as MySQL prints it, blanks and line ends allowed; empty for the empty set
     * @throws IllegalArgumentException if it is none
     */
    static MySqlIntervals parse(String text) {
        String[] parts = text.split(",");
        MySqlIntervals set = text.isBlank() ? new MySqlIntervals() : new MySqlIntervals(parts.length);
        for (String part : parts) {
            String source = part.strip();
            if (!source.isEmpty()) {
                try {
                    set.parseSource(source);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(
                            "not a GTID set: '" + text
                                    + "'; expected uuid:first-last:… or uuid:tag:first-last:…, several separated by commas",
                            e);
                }
            }
        }
        return set;
    }

    private void parseSource(String text) {
        String[] parts = text.split(":", -1);
        String uuid = parts[0].strip().toLowerCase(Locale.ROOT);
        if (parts.length < 2 || !UUID.fromString(uuid).toString().equals(uuid)) {
            throw new IllegalArgumentException("no UUID with intervals");
        }
        String tag = NO_TAG;
        boolean needsInterval = true;
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].strip();
            if (!part.isEmpty() && !Character.isDigit(part.charAt(0)) && (i == 1 || !needsInterval)) {
                tag = MySqlGtid.checkedTag(part);
                needsInterval = true;
            } else {
                parseInterval(uuid, tag, part);
                needsInterval = false;
            }
        }
        if (needsInterval) {
            throw new IllegalArgumentException("no intervals at its end");
        }
    }

    private void parseInterval(String uuid, String tag, String text) {
        String[] ends = text.split("-", -1);
        long first = Long.parseLong(ends[0].strip());
        long last = ends.length == 1 ? first : Long.parseLong(ends[1].strip());
        if (ends.length > 2 || !isInterval(first, last)) {
            throw new IllegalArgumentException("no interval: " + text);
        }
        intervals(uuid, tag).add(first, last);
    }

    private static boolean isInterval(long first, long last) {
        return 1 <= first && first <= last && last <= MySqlGtid.LARGEST_NUMBER;
    }

    /**
     * Adds a run of transactions.
     *
     * @param tag empty for none
     * @param first the number of the first, at least 1
     * @param last the number of the last, inclusive
     */
    void add(UUID source, String tag, long first, long last) {
        if (!isInterval(first, last)) {
            throw new IllegalArgumentException("no interval of transactions: " + first + "-" + last);
        }
        intervals(source.toString(), MySqlGtid.checkedTag(tag)).add(first, last);
    }

    private Intervals intervals(String source, String tag) {
        SortedMap<String, Intervals> tags = tagsBySource.get(source);
        if (tags == null) {
            tags = new TreeMap<>();
            tagsBySource.put(source, tags); // computeIfAbsent would leave another order
        }
        return tags.computeIfAbsent(tag, any -> new Intervals());
    }

    /** Adds all transactions of another set. */
    void addAll(MySqlIntervals others) {
        others.forEach((source, tag, intervals) -> intervals(source, tag).addAll(intervals));
    }

    /** Whether the transaction is in the set. */
    boolean contains(MySqlGtid gtid) {
        Intervals intervals = find(gtid.source().toString(), gtid.tag());
        return intervals != null && intervals.contains(gtid.number());
    }

    /** Whether every transaction of {@code others} is in this set. */
    boolean containsAll(MySqlIntervals others) {
        boolean[] all = {true};
        others.forEach((source, tag, intervals) -> {
            Intervals own = find(source, tag);
            all[0] &= own != null && own.containsAll(intervals);
        });
        return all[0];
    }

    /** The union of this set and the other one, as a new set. */
    MySqlIntervals union(MySqlIntervals others) {
        MySqlIntervals union = copy();
        union.addAll(others);
        return union;
    }

    /** The difference of this set and the other one, as a new set. */
    MySqlIntervals subtract(MySqlIntervals others) {
        MySqlIntervals left = new MySqlIntervals();
        forEach((source, tag, intervals) -> {
            Intervals taken = others.find(source, tag);
            Intervals rest = taken == null ? intervals : intervals.without(taken);
            if (!rest.isEmpty()) {
                left.intervals(source, tag).addAll(rest);
            }
        });
        return left;
    }

    /**
     * This set with some runs of transactions more, as a new set, which shares the intervals of all other servers with this one.
     *
     * @param firsts the first transaction of each run
     * @param lasts the number of the last transaction of each run
     */
    MySqlIntervals with(List<MySqlGtid> firsts, long[] lasts) {
        MySqlIntervals all = new MySqlIntervals(capacity);
        tagsBySource.forEach(all.tagsBySource::put);
        Map<String, SortedMap<String, Intervals>> changed = new LinkedHashMap<>();
        for (int i = 0; i < lasts.length; i++) {
            MySqlGtid first = firsts.get(i);
            String source = first.source().toString();
            SortedMap<String, Intervals> own = changed.computeIfAbsent(source, any -> new TreeMap<>());
            Intervals intervals = own.get(first.tag());
            if (intervals == null) {
                Intervals former = find(source, first.tag());
                intervals = former == null ? new Intervals() : former.copy();
                own.put(first.tag(), intervals);
            }
            intervals.add(first.number(), lasts[i]);
        }
        changed.forEach((source, own) -> {
            SortedMap<String, Intervals> tags =
                    new TreeMap<>(tagsBySource.getOrDefault(source, Collections.emptySortedMap()));
            tags.putAll(own);
            all.tagsBySource.put(source, tags);
        });
        return all;
    }

    /** Returns a copy of the set, which changes on its own. */
    MySqlIntervals copy() {
        MySqlIntervals copy = new MySqlIntervals(capacity);
        copy.addAll(this);
        return copy;
    }

    /** Whether it has no transaction. */
    boolean isEmpty() {
        return tagsBySource.isEmpty();
    }

    /** Whether any of its transactions has a tag, so that servers before 8.3 do not understand it. */
    boolean hasTags() {
        for (SortedMap<String, Intervals> tags : tagsBySource.values()) {
            if (!tags.lastKey().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** How many transactions it has. */
    long count() {
        long[] count = {0};
        forEach((source, tag, intervals) -> count[0] += intervals.count());
        return count[0];
    }

    /** Takes the numbers of one source and tag. */
    interface Visitor {
        void visit(String source, String tag, Intervals intervals);
    }

    void forEach(Visitor visitor) {
        tagsBySource.forEach((source, tags) -> tags.forEach((tag, intervals) -> visitor.visit(source, tag, intervals)));
    }

    private @Nullable Intervals find(String source, String tag) {
        SortedMap<String, Intervals> tags = tagsBySource.get(source);
        return tags == null ? null : tags.get(tag);
    }

    /** Sets of the same transactions are equal, however they came about. */
    @Override
    public boolean equals(Object other) {
        return other instanceof MySqlIntervals set && tagsBySource.equals(set.tagsBySource);
    }

    @Override
    public int hashCode() {
        return tagsBySource.hashCode();
    }

    /** Called with the bounds of an interval in the text of a set. */
    interface TextListener {
        /**
         * An interval was appended.
         *
         * @param begin the index after its first number
         * @param end the index after its last number
         */
        void wrote(String source, String tag, Intervals.Interval interval, int begin, int end);
    }

    /** Appends the text, in order. */
    void writeText(StringBuilder text, TextListener listener) {
        int start = text.length();
        tagsBySource.forEach((source, tags) -> {
            if (text.length() > start) {
                text.append(',');
            }
            text.append(source);
            tags.forEach((tag, intervals) -> {
                if (!tag.isEmpty()) {
                    text.append(':').append(tag);
                }
                for (Intervals.Interval interval : intervals.inOrder()) {
                    text.append(':').append(interval.first());
                    int begin = text.length();
                    Intervals.writeLast(text, interval.first(), interval.last());
                    listener.wrote(source, tag, interval, begin, text.length());
                }
            });
        });
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        writeText(text, (source, tag, interval, begin, end) -> {});
        return text.toString();
    }
}
