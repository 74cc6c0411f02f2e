package io.sluice.server.instance;

import io.sluice.server.pull.PullClients;
import java.time.Duration;
import java.util.Optional;

/** Leaves an instance's entries to clients that pull them. */
final class PullDelivery implements Delivery {
    private final PullClients clients;

    PullDelivery(PullClients clients) {
        this.clients = clients;
    }

    @Override
    public Optional<PullClients> pullClients() {
        return Optional.of(clients);
    }

    @Override
    public void start() {
        clients.start();
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
