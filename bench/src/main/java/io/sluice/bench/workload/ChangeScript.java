package io.sluice.bench.workload;

/** A workload as statements. */
interface ChangeScript {
    /** Hands on all statements in their order, begins and commits included, and says what they change. */
    Totals write(StatementReceiver statements);
}
