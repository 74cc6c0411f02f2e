package io.sluice.server.tables;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.time.Time;
import io.sluice.schema.table.TableName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is delivered of the busiest tables of one destination, one by one, and of all others together; however many tables there
 * are, it holds a limited number of them.
 *
 * <p>The first tables are counted one by one. When these are as many as may be, of the others the activity is measured, too, over
 * one {@link #PERIOD} each time; at its end a table that was at least twice as busy replaces the one that was least busy. What was
 * counted of that one is added to the others, so the sum of all counts is what was delivered, and no count ever falls while its table stays.
 *
 * <p>It does something for each entry and nothing for each row: their number was counted before. Thread-safe.
 */
public final class TableTally {
    /** How long activity is compared. */
    static final Duration PERIOD = Duration.ofMinutes(1);

    /** Of how many other tables the activity is measured, for each one that is counted. */
    private static final int CANDIDATES = 4;

    /** The share of the tables that may be replaced at the end of a period: one of so many. */
    private static final int REPLACED_PART = 10;

    /** How much busier a table must be than the one that it replaces. */
    private static final long BUSIER = 2;

    private final int capacity;
    private final Time time;

    @GuardedBy("this") private final Map<TableName, Member> members = new HashMap<>();

    /** The rows of tables that are among the others, in this period. */
    @GuardedBy("this") private final Map<TableName, Activity> candidates = new HashMap<>();

    @GuardedBy("this") private final TableCounter others = new TableCounter(new TableName("", TableCounts.OTHERS));

    @GuardedBy("this") private long periodEndsNanos;

    /** The table of the entry before, which is most often that of the next one, too. */
    @GuardedBy("this") private @Nullable Place last;

    /** How busy a table is. */
    private static final class Activity {
        private long rows;
    }

    /** A table that is counted by itself. */
    private static final class Member {
        private final TableCounter counter;
        private final Activity period = new Activity();

        /** Of the periods before, each with half the weight of the one after it. */
        private long before;

        Member(TableCounter counter) {
            this.counter = counter;
        }

        long activity() {
            return before + period.rows;
        }
    }

    /**
     * Where the entries of a table are counted.
     *
     * @param activity where its activity is measured; null if it is not
     */
    private record Place(
            String schema,
            String table,
            TableCounter counter,
            @Nullable Activity activity) {
        /** Whether it is that of an entry; the names of the entries of a table are mostly the same objects. */
        @SuppressWarnings("ReferenceEquality") // if the names are equal and not the same, the place is looked up
        boolean isOf(String otherSchema, String otherTable) {
            return schema == otherSchema && table == otherTable;
        }
    }

    /**
     * Makes one that has counted nothing.
     *
     * @param capacity how many tables are counted one by one; 0: nothing is counted at all
     */
    public TableTally(int capacity, Time time) {
        this.capacity = capacity;
        this.time = time;
        this.periodEndsNanos = time.nanos() + PERIOD.toNanos();
    }

    /** How many tables are counted one by one; 0: nothing is counted at all. */
    public int capacity() {
        return capacity;
    }

    /** Counts entries that were delivered, each once, in any order. */
    public void delivered(List<Entry> entries) {
        if (capacity > 0) {
            count(entries);
        }
    }

    private synchronized void count(List<Entry> entries) {
        long now = time.nanos();
        if (now - periodEndsNanos >= 0) {
            compare();
            periodEndsNanos = now + PERIOD.toNanos();
        }
        for (Entry entry : entries) {
            if (entry.kind() == EntryKind.ROWS) {
                Place place = placeOf(entry.schemaName(), entry.tableName());
                int rows = entry.rowCount();
                place.counter().add(entry, rows);
                Activity activity = place.activity();
                if (activity != null) {
                    activity.rows += rows;
                }
            }
        }
    }

    @GuardedBy("this") private Place placeOf(String schema, String table) {
        Place known = last;
        if (known == null || !known.isOf(schema, table)) {
            known = find(schema, table);
            last = known;
        }
        return known;
    }

    @GuardedBy("this") private Place find(String schema, String table) {
        TableName name = new TableName(schema, table);
        Member member = members.get(name);
        if (member == null && members.size() < capacity) {
            member = new Member(new TableCounter(name));
            members.put(name, member);
        }
        if (member != null) {
            return new Place(schema, table, member.counter, member.period);
        }
        Activity activity = candidates.get(name);
        if (activity == null && candidates.size() < capacity * CANDIDATES) {
            activity = new Activity();
            candidates.put(name, activity);
        }
        return new Place(schema, table, others, activity);
    }

    /** Ends a period: some of the least busy tables are replaced by busier ones. */
    @GuardedBy("this") private void compare() {
        if (!candidates.isEmpty()) {
            List<Member> idlest = new ArrayList<>(members.values());
            idlest.sort(Comparator.comparingLong(Member::activity));
            List<Map.Entry<TableName, Activity>> busiest = new ArrayList<>(candidates.entrySet());
            busiest.sort(Comparator.comparingLong((Map.Entry<TableName, Activity> one) -> one.getValue().rows)
                    .reversed());
            int most = Math.min(busiest.size(), Math.max(1, capacity / REPLACED_PART));
            for (int i = 0; i < most && i < idlest.size(); i++) {
                long rows = busiest.get(i).getValue().rows;
                if (rows < 1 || rows < BUSIER * idlest.get(i).activity()) {
                    break;
                }
                replace(idlest.get(i), busiest.get(i).getKey(), rows);
            }
        }
        for (Member member : members.values()) {
            member.before = member.activity() / 2;
            member.period.rows = 0;
        }
        candidates.clear();
        last = null;
    }

    @GuardedBy("this") private void replace(Member member, TableName by, long rows) {
        others.add(member.counter);
        members.remove(member.counter.name());
        Member next = new Member(new TableCounter(by));
        next.period.rows = rows;
        members.put(by, next);
    }

    /** The tables that are counted one by one, those with the most rows first. */
    public synchronized List<TableCounts> tables() {
        return members.values().stream()
                .map(member -> member.counter.counts())
                .sorted(Comparator.comparingLong(TableCounts::rows)
                        .reversed()
                        .thenComparing(TableCounts::schema)
                        .thenComparing(TableCounts::table))
                .toList();
    }

    /** Of how many tables it knows the names. */
    synchronized int held() {
        return members.size() + candidates.size();
    }

    /** All other tables together. */
    public synchronized TableCounts others() {
        return others.counts();
    }
}
