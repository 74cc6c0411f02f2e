package io.sluice.bench.workload;

/** Receives statements one by one. */
@FunctionalInterface
interface StatementReceiver {
    /** Receives a statement, which may be overwritten after the call. */
    void accept(CharSequence statement);
}
