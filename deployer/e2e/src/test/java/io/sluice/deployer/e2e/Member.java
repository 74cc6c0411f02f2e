package io.sluice.deployer.e2e;

import io.sluice.testkit.proxy.Gate;

/**
 * A server of a cluster, with its network.
 *
 * @param toZooKeeper over which it talks to ZooKeeper
 * @param toClients over which clients talk to it
 */
record Member(PackagedServer server, Gate toZooKeeper, Gate toClients) implements AutoCloseable {
    @Override
    public void close() {
        server.close();
        toZooKeeper.close();
        toClients.close();
    }
}
