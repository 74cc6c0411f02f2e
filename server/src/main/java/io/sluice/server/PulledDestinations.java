package io.sluice.server;

import io.sluice.server.destination.DestinationRegistry;
import io.sluice.server.destination.DestinationRunner;
import io.sluice.server.instance.Instance;
import io.sluice.server.tcp.Destination;
import io.sluice.server.tcp.Destinations;
import org.jspecify.annotations.Nullable;

/** Finds the destinations that clients pull, and starts a lazy one that a client asks for. Thread-safe. */
final class PulledDestinations implements Destinations {
    private final DestinationRegistry registry;

    PulledDestinations(DestinationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public @Nullable Destination find(String name) {
        DestinationRunner runner = registry.find(name).orElse(null);
        if (runner == null) {
            return null;
        }
        if (runner.config().lazy()) {
            runner.awaken();
        }
        Instance instance = runner.instance().orElse(null);
        return instance == null ? null : destination(instance);
    }

    private static @Nullable Destination destination(Instance instance) {
        return instance.pullClients()
                .map(clients -> new Destination(clients, instance.storeConfig(), instance::failDelivery))
                .orElse(null);
    }
}
