package io.sluice.mysql.gtid;

import java.util.ArrayList;
import java.util.List;

/** A set of transaction numbers, as sorted intervals that neither touch nor overlap. For one thread. */
final class Intervals {
    private final List<Interval> intervals;

    /** Numbers from the first to the last, both inclusive. */
    record Interval(long first, long last) {}

    Intervals() {
        this.intervals = new ArrayList<>();
    }

    private Intervals(List<Interval> intervals) {
        this.intervals = intervals;
    }

    Intervals copy() {
        return new Intervals(new ArrayList<>(intervals));
    }

    List<Interval> inOrder() {
        return intervals;
    }

    boolean isEmpty() {
        return intervals.isEmpty();
    }

    /** Adds the numbers from {@code first}, at least 1, to {@code last}, less than 2^63-1. */
    void add(long first, long last) {
        int at = firstThatMayJoin(first);
        long from = first;
        long to = last;
        int joined = at;
        while (joined < intervals.size() && intervals.get(joined).first <= to + 1) {
            from = Math.min(from, intervals.get(joined).first);
            to = Math.max(to, intervals.get(joined).last);
            joined++;
        }
        if (joined == at) {
            intervals.add(at, new Interval(from, to));
        } else {
            intervals.set(at, new Interval(from, to));
            intervals.subList(at + 1, joined).clear();
        }
    }

    /** The index of the first interval that ends with the number before {@code first} or later; the size if none does. */
    private int firstThatMayJoin(long first) {
        int low = 0;
        int high = intervals.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (intervals.get(middle).last < first - 1) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    void addAll(Intervals others) {
        if (others.intervals.size() == 1) {
            Interval only = others.intervals.get(0);
            add(only.first, only.last);
            return;
        }
        List<Interval> own = List.copyOf(intervals);
        intervals.clear();
        int next = 0;
        for (Interval other : others.intervals) {
            while (next < own.size() && own.get(next).first <= other.first) {
                join(own.get(next));
                next++;
            }
            join(other);
        }
        while (next < own.size()) {
            join(own.get(next));
            next++;
        }
    }

    /** Adds an interval that begins with no number before that of the last one. */
    private void join(Interval next) {
        int end = intervals.size() - 1;
        if (end < 0 || intervals.get(end).last < next.first - 1) {
            intervals.add(next);
        } else if (intervals.get(end).last < next.last) {
            intervals.set(end, new Interval(intervals.get(end).first, next.last));
        }
    }

    boolean contains(long number) {
        return containsAll(number, number);
    }

    boolean containsAll(Intervals others) {
        for (Interval other : others.intervals) {
            if (!containsAll(other.first, other.last)) {
                return false;
            }
        }
        return true;
    }

    private boolean containsAll(long first, long last) {
        int low = 0;
        int high = intervals.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Interval interval = intervals.get(middle);
            if (interval.last < first) {
                low = middle + 1;
            } else if (interval.first > first) {
                high = middle - 1;
            } else {
                return last <= interval.last;
            }
        }
        return false;
    }

    /** The difference: the numbers of this set that the other one lacks. */
    Intervals without(Intervals others) {
        List<Interval> left = new ArrayList<>();
        int next = 0;
        for (Interval interval : intervals) {
            while (next < others.intervals.size() && others.intervals.get(next).last < interval.first) {
                next++;
            }
            long from = interval.first;
            for (int i = next; i < others.intervals.size() && others.intervals.get(i).first <= interval.last; i++) {
                Interval taken = others.intervals.get(i);
                if (from < taken.first) {
                    left.add(new Interval(from, taken.first - 1));
                }
                from = taken.last + 1;
            }
            if (from <= interval.last) {
                left.add(new Interval(from, interval.last));
            }
        }
        return new Intervals(left);
    }

    /** How many numbers there are. */
    long count() {
        long count = 0;
        for (Interval interval : intervals) {
            count += interval.last - interval.first + 1;
        }
        return count;
    }

    /** Appends {@code -5}; nothing if it is the only number of its interval. */
    static void writeLast(StringBuilder text, long first, long last) {
        if (last > first) {
            text.append('-').append(last);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Intervals others && intervals.equals(others.intervals);
    }

    @Override
    public int hashCode() {
        return intervals.hashCode();
    }
}
