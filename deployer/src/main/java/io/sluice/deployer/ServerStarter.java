package io.sluice.deployer;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.reload.ConfigSource;

/** Starts the server and its instances; returns when they run. The source reads the configuration again. */
@FunctionalInterface
interface ServerStarter {
    RunningServer start(Configuration configuration, Connectors connectors, ConfigSource source) throws Exception;
}
