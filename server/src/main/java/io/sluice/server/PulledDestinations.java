package io.sluice.server;

import io.sluice.protocol.time.Time;
import io.sluice.server.destination.DestinationRegistry;
import io.sluice.server.destination.DestinationRunner;
import io.sluice.server.instance.Instance;
import io.sluice.server.tcp.Destination;
import io.sluice.server.tcp.Destinations;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Finds the destinations that clients pull, and starts a lazy one that a client asks for. Thread-safe. */
final class PulledDestinations implements Destinations {
    /** How long a client waits for a lazy instance that this server must first get among others. */
    private static final Duration START_LIMIT = Duration.ofSeconds(10);

    private final DestinationRegistry registry;
    private final Time time;

    /** When a client was the first to ask for a lazy instance, by destination. */
    private final Map<String, Long> askedAt = new ConcurrentHashMap<>();

    PulledDestinations(DestinationRegistry registry, Time time) {
        this.registry = registry;
        this.time = time;
    }

    @Override
    public @Nullable Destination find(String name) {
        DestinationRunner runner = registry.find(name).orElse(null);
        if (runner == null) {
            return null;
        }
        if (runner.config().lazy() && runner.awaken()) {
            askedAt.put(name, time.nanos());
        }
        Instance instance = runner.instance().orElse(null);
        return instance == null ? null : destination(instance);
    }

    /** Also for one that another server runs, until the limit: this server knows that only when it has checked. */
    @Override
    public boolean isStarting(String name) {
        Long since = askedAt.get(name);
        return since != null
                && time.nanos() - since < START_LIMIT.toNanos()
                && registry.find(name).filter(runner -> !runner.isObstructed()).isPresent();
    }

    private static @Nullable Destination destination(Instance instance) {
        return instance.pullClients()
                .map(clients -> new Destination(clients, instance.storeConfig(), instance::failDelivery))
                .orElse(null);
    }
}
