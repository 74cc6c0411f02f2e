package io.sluice.bench.workload;

/** The kind of changes. */
public enum WorkloadKind {
    /** Small transactions on two tables: inserts of up to ten rows, updates and deletes of one. */
    MIXED(1_000_000, 2),
    /** Inserts of a thousand rows, each its own transaction. */
    BATCH(2_000_000, 1);

    private final long usualRows;
    private final int usualTables;

    WorkloadKind(long usualRows, int usualTables) {
        this.usualRows = usualRows;
        this.usualTables = usualTables;
    }

    /** The default number of changed tables. */
    int usualTables() {
        return usualTables;
    }

    /** The default number of row changes. */
    public long usualRows() {
        return usualRows;
    }
}
