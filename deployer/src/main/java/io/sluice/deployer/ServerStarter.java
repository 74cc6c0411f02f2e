package io.sluice.deployer;

import io.sluice.server.config.Configuration;

/** Starts the server and its instances; returns when they run. */
@FunctionalInterface
interface ServerStarter {
    RunningServer start(Configuration configuration, Connectors connectors) throws Exception;
}
