package io.sluice.bench.workload;

import java.util.List;

/** What the changes look like. */
public enum WorkloadKind {
    /** Small transactions on two tables: inserts of up to ten rows, updates and deletes of one. */
    MIXED(1_000_000),
    /** Inserts of a thousand rows, each its own transaction. */
    BATCH(2_000_000);

    private final long usualRows;

    WorkloadKind(long usualRows) {
        this.usualRows = usualRows;
    }

    /** The names of the tables that it changes, without the marker's. */
    public List<String> tables() {
        return switch (this) {
            case MIXED -> List.of(Tables.ORDERS, Tables.PAYMENTS);
            case BATCH -> List.of(Tables.ORDERS);
        };
    }

    /** How many rows change unless one says otherwise. */
    public long usualRows() {
        return usualRows;
    }
}
