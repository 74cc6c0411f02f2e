package io.sluice.bench.workload;

import java.util.List;

/** What the changes look like. */
public enum WorkloadKind {
    /** Small transactions on two tables: inserts of up to ten rows, updates and deletes of one. */
    MIXED(1_000_000, List.of(Tables.ORDERS, Tables.PAYMENTS)),
    /** Inserts of a thousand rows, each its own transaction. */
    BATCH(2_000_000, List.of(Tables.ORDERS));

    private final long usualRows;
    private final List<String> tables;

    WorkloadKind(long usualRows, List<String> tables) {
        this.usualRows = usualRows;
        this.tables = tables;
    }

    /** The names of the tables that it changes, without the marker's. */
    public List<String> tables() {
        return tables;
    }

    /** How many rows change unless one says otherwise. */
    public long usualRows() {
        return usualRows;
    }
}
