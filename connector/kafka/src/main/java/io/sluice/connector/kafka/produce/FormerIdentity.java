package io.sluice.connector.kafka.produce;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;

/**
 * The producer id and epoch of the producer of a destination that was opened last. The next producer in this process continues the id with
 * the next epoch, so that brokers reject what the former one still has on its way, which would else be stored after its repetition.
 *
 * <p>A producer is noted before it sends, and not when it has closed: a close that hangs is not waited for, and may end after the next
 * producer. The identity is kept as long as the process runs: how long a request may be on its way is not known. Thread-safe.
 */
public final class FormerIdentity<I> {
    @GuardedBy("this") private Opened<I> newest = new Opened<>(() -> null);

    /** Returns the identity of a producer by now; null if it has none. */
    @FunctionalInterface
    public interface Identity<I> {
        @Nullable I now();
    }

    /** A producer that was opened. */
    public static final class Opened<I> {
        private volatile Identity<I> identity;

        private Opened(Identity<I> identity) {
            this.identity = identity;
        }

        /** Its identity by now; null if it has none. */
        public @Nullable I identity() {
            return identity.now();
        }

        /** Notes that it has closed, so that only its identity is kept. */
        public void close() {
            @Nullable I last = identity.now();
            identity = () -> last;
        }
    }

    /** The producer that was opened last. */
    public synchronized Opened<I> newest() {
        return newest;
    }

    /**
     * Notes a producer before it sends.
     *
     * @param former the producer that it continues
     * @param identity supplies its identity, also while it closes; that of the former one as long as it has none of its own
     * @throws IllegalStateException if another producer continues the former one: brokers could not distinguish them
     */
    public synchronized Opened<I> follow(Opened<I> former, Identity<I> identity) {
        if (newest != former) {
            throw new IllegalStateException(
                    "another producer of the destination was opened, so this one, which is being closed, does not connect");
        }
        newest = new Opened<>(identity);
        return newest;
    }
}
