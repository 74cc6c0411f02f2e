package io.sluice.bench.e2e;

import io.sluice.bench.workload.Tables;
import io.sluice.bench.workload.Tally;
import io.sluice.bench.workload.Totals;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sums up the rows that came out of a bridge. For one thread. */
public final class ArrivedRows {
    private final Map<String, Tally> byType = new LinkedHashMap<>();
    private long changes;

    /**
     * Counts a row; the marker is no row of the totals.
     *
     * @param type INSERT, UPDATE or DELETE
     * @param amount as text
     */
    void add(String table, String type, String id, String amount) {
        changes++;
        if (!table.equals(Tables.MARKER)) {
            long cents = new BigDecimal(amount).movePointRight(2).longValueExact();
            byType.merge(
                    type, Tally.NONE.plus(Long.parseLong(id), cents), (sum, row) -> sum.plus(row.ids(), row.cents()));
        }
    }

    /** How many rows came so far, the marker's included. */
    long changes() {
        return changes;
    }

    public Totals totals() {
        return new Totals(of("INSERT"), of("UPDATE"), of("DELETE"));
    }

    private Tally of(String type) {
        return byType.getOrDefault(type, Tally.NONE);
    }
}
