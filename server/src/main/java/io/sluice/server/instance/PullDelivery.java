package io.sluice.server.instance;

import io.sluice.connector.api.producer.Ownership;
import io.sluice.server.pull.PullClients;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leaves an instance's entries to clients that pull them. */
final class PullDelivery implements Delivery {
    private static final Logger LOG = LoggerFactory.getLogger(PullDelivery.class);

    private final DeliveryFactory.Parts parts;
    private final PullClients clients;

    PullDelivery(DeliveryFactory.Parts parts, SharedPools pools, Ownership ownership) {
        this.parts = parts;
        this.clients = new PullClients(
                parts.config().destination(),
                parts.store(),
                parts.cursors(),
                pools.converters(),
                pools.timer(),
                parts.source()::include,
                ownership::isHeld);
    }

    PullClients clients() {
        return clients;
    }

    /** Has the filters count again that clients subscribed with before the restart. */
    @Override
    public void start() {
        for (String filter : PullClients.filtersOf(parts.cursors())) {
            try {
                parts.source().include(filter);
            } catch (IllegalArgumentException e) {
                LOG.warn(
                        "a client's filter cannot be read, going on without it: instance={} filter={} cause={}",
                        parts.config().destination(),
                        filter,
                        e.getMessage());
            }
        }
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
