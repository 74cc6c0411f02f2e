package io.sluice.server.instance;

import io.sluice.connector.api.producer.Ownership;
import io.sluice.server.pull.ClientFilters;
import io.sluice.server.pull.PullClients;
import java.time.Duration;

/** Leaves an instance's entries to clients that pull them. */
final class PullDelivery implements Delivery {
    private final ClientFilters filters;
    private final PullClients clients;

    PullDelivery(DeliveryFactory.Parts parts, SharedPools pools, int maxSubscriptions, Ownership ownership) {
        this.filters = new ClientFilters(parts.config().destination(), parts.tables(), parts.cursors());
        this.clients = new PullClients(
                parts.config().destination(),
                parts.store(),
                parts.cursors(),
                pools.converters(),
                pools.timer(),
                filters,
                maxSubscriptions,
                ownership::isHeld);
    }

    PullClients clients() {
        return clients;
    }

    @Override
    public void start() {
        filters.restore();
    }

    @Override
    public boolean stop(Duration limit) {
        clients.close();
        return true;
    }

    @Override
    public boolean abandon() {
        return stop(Duration.ZERO);
    }

    @Override
    public void close() {}
}
