package io.sluice.server.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.Ownership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The times, by one clock, at which the services of several servers delivered one destination.
 *
 * <p>A service delivers from its start to its end while its lease is held, and checks it all the time, as a sender does
 * before each message. Thread-safe.
 */
public final class DeliveryLog {
    private static final long POLL_NANOS = 200_000;

    private final List<Delivery> deliveries = new ArrayList<>();

    /** One start of a service. */
    public static final class Delivery {
        private final String server;
        private final Ownership ownership;
        private final long started = System.nanoTime();
        private volatile long last = started;
        private volatile boolean stopped;

        private Delivery(String server, Ownership ownership) {
            this.server = server;
            this.ownership = ownership;
        }

        public String server() {
            return server;
        }

        public long epoch() {
            return ownership.epoch();
        }

        public Lease lease() {
            return (Lease) ownership;
        }

        /** When the service was started. */
        public long started() {
            return started;
        }

        /** The last time at which it delivered, or was still able to. */
        public long last() {
            return last;
        }

        public boolean isDelivering() {
            return !stopped && ownership.isHeld();
        }

        private void run() {
            while (!stopped) {
                long now = System.nanoTime();
                if (ownership.isHeld()) {
                    last = now;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    /** Creates the service of a server. */
    public Service serviceOf(String server) {
        return new Service() {
            private @Nullable Delivery current;

            @Override
            public void start(OwnershipTerm term) {
                Delivery delivery = new Delivery(server, term.ownership());
                current = delivery;
                synchronized (deliveries) {
                    deliveries.add(delivery);
                }
                Thread thread = new Thread(delivery::run, "delivery-" + server);
                thread.setDaemon(true);
                thread.start();
            }

            @Override
            public boolean stop(Duration limit) {
                return end();
            }

            @Override
            public boolean abandon() {
                return end();
            }

            private boolean end() {
                Delivery delivery = current;
                if (delivery != null) {
                    delivery.stopped = true;
                }
                return true;
            }

            @Override
            public boolean hasFailed() {
                return false;
            }
        };
    }

    /** All starts, in their order. */
    List<Delivery> all() {
        synchronized (deliveries) {
            return List.copyOf(deliveries);
        }
    }

    /** The newest start, if its service still delivers; null otherwise. */
    public @Nullable Delivery current() {
        List<Delivery> all = all();
        return all.isEmpty() || !all.get(all.size() - 1).isDelivering() ? null : all.get(all.size() - 1);
    }

    /** Fails if a service could deliver when a later one had been started. */
    public void requireOneAtATime() {
        List<Delivery> all = all();
        for (int i = 1; i < all.size(); i++) {
            Delivery former = all.get(i - 1);
            Delivery next = all.get(i);
            assertThat(next.epoch()).as("epoch").isGreaterThan(former.epoch());
            assertThat(Duration.ofNanos(next.started() - former.last()))
                    .as(
                            "time from the last delivery of %s in epoch %d to the start of %s in epoch %d",
                            former.server(), former.epoch(), next.server(), next.epoch())
                    .isPositive();
        }
    }
}
