package io.sluice.bench.workload;

import java.util.function.Consumer;

/** A workload as statements. */
interface ChangeScript {
    /**
     * Passes all statements in their order to the receiver, including BEGIN and COMMIT, and returns the changes. A statement may be
     * overwritten after the call.
     */
    Totals write(Consumer<CharSequence> statements);
}
