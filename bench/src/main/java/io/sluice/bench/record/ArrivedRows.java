package io.sluice.bench.record;

import io.sluice.bench.workload.Tables;
import io.sluice.bench.workload.Tally;
import io.sluice.bench.workload.Totals;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the row changes that a bridge delivered: their number and sums by type, the order of the changes of each key, and a
 * rolling hash over all column values of each key. For one thread.
 *
 * <p>A key's changes must be added in the order in which they arrived. A workload inserts each key once, and each update changes
 * {@code amount}, so a lost, repeated or reordered change of a key is found by the value that the next one replaces.
 */
public final class ArrivedRows {
    private static final int MAX_ID = 1 << 27;
    private static final long PRIME = 0x9E3779B97F4A7C15L;

    private final Map<String, Keys> tables = new HashMap<>();
    private final Map<String, Tally> byType = new LinkedHashMap<>();
    private long changes;
    private long misplaced;
    private @Nullable String firstMisplaced;

    /**
     * Adds a row change. The row of the marker counts only for {@link #changes}.
     *
     * @param type INSERT, UPDATE or DELETE
     * @param row the columns; of a deleted row those of its before image
     * @param amountBefore the column {@code amount} before an update; null if the record does not have it
     */
    void add(String table, String type, Map<String, @Nullable String> row, @Nullable String amountBefore) {
        changes++;
        if (table.equals(Tables.MARKER)) {
            return;
        }
        long id = Long.parseLong(String.valueOf(row.get("id")));
        if (id < 1 || id > MAX_ID) {
            throw new IllegalArgumentException("%s of %s has the id %d".formatted(type, table, id));
        }
        int cents = cents(row.get("amount"));
        byType.merge(type, Tally.NONE.plus(id, cents), (sum, one) -> sum.plus(one.ids(), one.cents()));
        Keys keys = tables.computeIfAbsent(table, name -> new Keys());
        if (!keys.apply((int) id, type, row, cents, amountBefore == null ? null : cents(amountBefore))) {
            misplaced++;
            if (firstMisplaced == null) {
                firstMisplaced = "%s of %s id=%d".formatted(type, table, id);
            }
        }
    }

    /** Workloads have amounts below 100,000. */
    private static int cents(@Nullable String amount) {
        return amount == null ? 0 : new BigDecimal(amount).movePointRight(2).intValueExact();
    }

    private static long hash(long seed, String type, Map<String, @Nullable String> row) {
        long hash = mix(seed, type.hashCode());
        for (Map.Entry<String, @Nullable String> column : row.entrySet()) {
            String value = column.getValue();
            hash = mix(hash, column.getKey().hashCode());
            hash = mix(hash, value == null ? Long.MIN_VALUE : value.hashCode());
        }
        return hash;
    }

    private static long mix(long hash, long next) {
        long mixed = (hash ^ next) * PRIME;
        return mixed ^ (mixed >>> 29);
    }

    /** The number of row changes, including that of the marker. */
    public long changes() {
        return changes;
    }

    public Totals totals() {
        return new Totals(of("INSERT"), of("UPDATE"), of("DELETE"));
    }

    private Tally of(String type) {
        return byType.getOrDefault(type, Tally.NONE);
    }

    /** A hash over all rows: the same if every key had the same changes in the same order, whatever the order between keys. */
    public String fingerprint() {
        long sum = 0;
        for (Map.Entry<String, Keys> table : tables.entrySet()) {
            sum += table.getValue().fingerprint(table.getKey());
        }
        return "%016x".formatted(sum);
    }

    /** Describes what is wrong with the rows; null if nothing is. */
    public @Nullable String problem(Totals expected) {
        if (!totals().equals(expected)) {
            return "expected %s, but %s arrived".formatted(expected, totals());
        }
        return misplaced == 0
                ? null
                : "%d changes are out of order, the first is an %s".formatted(misplaced, firstMisplaced);
    }

    /** The state of a table's keys by their ids, which are counted from 1: eight bytes for each, so that tens of millions fit. */
    private static final class Keys {
        private static final int PAGE = 4096;
        private static final int NEVER = 0;
        private static final int DELETED = -1;

        private final List<Page> pages = new ArrayList<>();

        /**
         * The keys of consecutive ids.
         *
         * @param hashes the rolling hash of a key's changes
         * @param states the amount in cents plus one, or a constant above
         */
        @SuppressWarnings("ArrayRecordComponent") // never compared
        private record Page(int[] hashes, int[] states) {}

        /** Applies a change; returns whether the key's state permits it. */
        boolean apply(
                int id, String type, Map<String, @Nullable String> row, int cents, @Nullable Integer centsBefore) {
            while (id / PAGE >= pages.size()) {
                pages.add(new Page(new int[PAGE], new int[PAGE]));
            }
            Page page = pages.get(id / PAGE);
            int at = id % PAGE;
            page.hashes[at] = (int) hash(page.hashes[at], type, row);
            int state = page.states[at];
            page.states[at] = type.equals("DELETE") ? DELETED : cents + 1;
            return switch (type) {
                case "INSERT" -> state == NEVER;
                case "UPDATE" -> state > NEVER && (centsBefore == null || centsBefore == state - 1);
                case "DELETE" -> state == cents + 1;
                default -> throw new IllegalArgumentException("'" + type + "' is not a type of a row change");
            };
        }

        /** A hash over the keys. */
        long fingerprint(String table) {
            long sum = 0;
            for (int i = 0; i < pages.size(); i++) {
                for (int at = 0; at < PAGE; at++) {
                    int hash = pages.get(i).hashes[at];
                    if (hash != 0) {
                        sum += mix(mix(hash, table.hashCode()), (long) i * PAGE + at);
                    }
                }
            }
            return sum;
        }
    }
}
