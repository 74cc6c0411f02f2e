package io.sluice.connector.kafka.produce;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;

/**
 * The producer id and epoch of the connection of a destination that was opened last. The next producer in this process continues the id with
 * the next epoch, so that brokers reject what the former one still has on its way, which would else be stored after its repetition.
 *
 * <p>A connection is noted before it sends, and not when it has closed: a close that hangs is not waited for, and may end after the next
 * producer. Only the producer that was made last connects: the one before may still be about to connect again while it is closed, as when it waits for a
 * name server, and would take the epoch of the next one. The identity is kept as long as the process runs: how long a request may be on its way is not known.
 * Thread-safe.
 */
public final class FormerIdentity<I> {
    @GuardedBy("this") private Connection<I> newest = new Connection<>(() -> null);

    @GuardedBy("this") private @Nullable Turn<I> turn;

    /** Returns the identity of a connection by now; null if it has none. */
    @FunctionalInterface
    public interface Identity<I> {
        @Nullable I now();
    }

    private static final class Connection<I> {
        private volatile Identity<I> identity;

        Connection(Identity<I> identity) {
            this.identity = identity;
        }

        void close() {
            @Nullable I last = identity.now();
            identity = () -> last;
        }
    }

    /** What lets a producer connect until the next one is made. */
    public static final class Turn<I> {
        private final FormerIdentity<I> of;
        private volatile Connection<I> connection;
        private volatile boolean isConnected;

        private Turn(FormerIdentity<I> of, Connection<I> connection) {
            this.of = of;
            this.connection = connection;
        }

        /** The identity by now of the newest connection, which the next one continues: that of the producer before until this one connects. Null if there is none. */
        public @Nullable I identity() {
            return connection.identity.now();
        }

        /**
         * Notes a connection before it sends.
         *
         * @param identity supplies its identity, also while it closes; that of the former one as long as it has none of its own
         * @throws IllegalStateException if the next producer was made: brokers could not distinguish them
         */
        public void connect(Identity<I> identity) {
            connection = of.connect(this, identity);
            isConnected = true;
        }

        /** Notes that the producer has closed, so that only its identity is kept. */
        public void close() {
            if (isConnected) {
                connection.close();
            }
        }
    }

    /** Begins the turn of a producer when it is made: those before it connect no more. */
    public synchronized Turn<I> next() {
        Turn<I> next = new Turn<>(this, newest);
        turn = next;
        return next;
    }

    private synchronized Connection<I> connect(Turn<I> of, Identity<I> identity) {
        if (turn != of) {
            throw new IllegalStateException(
                    "the next producer of the destination was made, so this one, which is being closed, does not connect");
        }
        newest = new Connection<>(identity);
        return newest;
    }
}
