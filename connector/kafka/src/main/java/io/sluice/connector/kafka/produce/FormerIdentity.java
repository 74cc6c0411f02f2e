package io.sluice.connector.kafka.produce;

import org.jspecify.annotations.Nullable;

/**
 * By which brokers know the producer of a destination that was closed last. The next one in this process continues it, so that nothing
 * which the closed one still had on its way is stored after its repetition.
 *
 * <p>Kept as long as the process runs: how long a request may be on its way is not known. Thread-safe.
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
