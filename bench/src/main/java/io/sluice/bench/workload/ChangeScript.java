package io.sluice.bench.workload;

/** A workload as statements. */
interface ChangeScript {
    /** Passes all statements in their order to the receiver, including BEGIN and COMMIT; returns the changes. */
    Totals write(StatementReceiver statements);
}
