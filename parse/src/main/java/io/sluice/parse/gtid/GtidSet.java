package io.sluice.parse.gtid;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;

/**
 * A set of MySQL GTIDs: for every server, the numbers of its transactions as intervals that neither touch nor overlap.
 *
 * <p>Its text is MySQL's, {@code uuid:1-5:7,uuid:2}, without blanks. Source: MySQL's manual, "GTID Format and Storage".
 * For one thread.
 */
public final class GtidSet implements SeenTransactions {
    /** Keyed by the UUID's text: readers see servers in this map's order, as canal's readers do. */
    private final Map<String, List<Interval>> intervalsBySource;

    /** Transaction numbers from the first to the last, both inclusive. */
    private record Interval(long first, long last) {}

    /** The empty set. */
    public GtidSet() {
        this(16);
    }

    private GtidSet(int sources) {
        // The capacity is part of the order.
        this.intervalsBySource = new HashMap<>(sources);
    }

    /**
     * Reads a set.
     *
     * @param text as MySQL prints it, blanks and line ends allowed; empty for the empty set
     * @throws IllegalArgumentException if it is none, or has tags, which MySQL knows since 8.3
     */
    public static GtidSet parse(String text) {
        String[] parts = text.split(",");
        GtidSet set = text.isBlank() ? new GtidSet() : new GtidSet(parts.length);
        for (String part : parts) {
            String source = part.strip();
            if (!source.isEmpty()) {
                set.parseSource(source);
            }
        }
        return set;
    }

    private void parseSource(String text) {
        String[] parts = text.split(":");
        String uuid = parts[0].strip().toLowerCase(Locale.ROOT);
        try {
            if (parts.length < 2 || !UUID.fromString(uuid).toString().equals(uuid)) {
                throw new IllegalArgumentException("no UUID with intervals");
            }
            for (int i = 1; i < parts.length; i++) {
                String[] ends = parts[i].strip().split("-");
                long first = Long.parseLong(ends[0].strip());
                long last = ends.length == 1 ? first : Long.parseLong(ends[1].strip());
                if (ends.length > 2 || first < 1 || last < first) {
                    throw new IllegalArgumentException("no interval: " + parts[i]);
                }
                add(uuid, first, last);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "not a GTID set: '" + text + "'; expected uuid:first-last:…, several separated by commas", e);
        }
    }

    /** Adds one transaction. */
    public void add(UUID source, long number) {
        add(source.toString(), number, number);
    }

    private void add(String source, long first, long last) {
        List<Interval> intervals = intervalsBySource.get(source);
        if (intervals == null) {
            intervals = new ArrayList<>();
            intervalsBySource.put(source, intervals); // computeIfAbsent would leave another order
        }
        int at = intervals.size();
        while (at > 0 && intervals.get(at - 1).last >= first - 1) {
            at--;
        }
        long from = first;
        long to = last;
        while (at < intervals.size() && intervals.get(at).first <= to + 1) {
            Interval joined = intervals.remove(at);
            from = Math.min(from, joined.first);
            to = Math.max(to, joined.last);
        }
        intervals.add(at, new Interval(from, to));
    }

    /** Whether the transaction is in the set. */
    public boolean contains(UUID source, long number) {
        for (Interval interval : intervalsBySource.getOrDefault(source.toString(), List.of())) {
            if (interval.first <= number && number <= interval.last) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean isEmpty() {
        return intervalsBySource.isEmpty();
    }

    @Override
    public String toString() {
        StringJoiner sources = new StringJoiner(",");
        for (Map.Entry<String, List<Interval>> source : intervalsBySource.entrySet()) {
            StringBuilder text = new StringBuilder(source.getKey());
            for (Interval interval : source.getValue()) {
                text.append(':').append(interval.first);
                if (interval.last > interval.first) {
                    text.append('-').append(interval.last);
                }
            }
            sources.add(text);
        }
        return sources.toString();
    }
}
