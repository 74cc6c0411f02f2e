package io.sluice.bench.workload;

/** Takes statements one by one. */
@FunctionalInterface
interface StatementReceiver {
    /** Takes a statement, which may be overwritten after the call. */
    void accept(CharSequence statement);
}
