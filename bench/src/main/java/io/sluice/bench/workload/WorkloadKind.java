package io.sluice.bench.workload;

import java.util.List;

/** The kind of changes. */
public enum WorkloadKind {
    /** Small transactions on two tables: inserts of up to ten rows, updates and deletes of one. */
    MIXED(1_000_000),
    /** Inserts of a thousand rows, each its own transaction. */
    BATCH(2_000_000);

    private final long usualRows;

    WorkloadKind(long usualRows) {
        this.usualRows = usualRows;
    }

    /** The names of the changed tables, without the marker's. */
    public List<String> tables() {
        return switch (this) {
            case MIXED -> List.of(Tables.ORDERS, Tables.PAYMENTS);
            case BATCH -> List.of(Tables.ORDERS);
        };
    }

    /** The default number of row changes. */
    public long usualRows() {
        return usualRows;
    }
}
