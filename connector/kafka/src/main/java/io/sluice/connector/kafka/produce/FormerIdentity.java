package io.sluice.connector.kafka.produce;

import org.jspecify.annotations.Nullable;

/**
 * The producer id and epoch of the producer of a destination that was closed last. The next producer in this process continues the id with
 * the next epoch, so that brokers reject what the closed one still had on its way, which would else be stored after its repetition.
 *
 * <p>It is kept as long as the process runs: how long a request may be on its way is not known. Thread-safe.
 */
public final class FormerIdentity<I> {
    private volatile @Nullable I last;

    /** The identity to continue; null if there is none. */
    public @Nullable I get() {
        return last;
    }

    /** Notes that a producer was closed; null if it had no identity: it has sent nothing, or is not idempotent, and the former one stays. */
    public void set(@Nullable I identity) {
        if (identity != null) {
            last = identity;
        }
    }
}
