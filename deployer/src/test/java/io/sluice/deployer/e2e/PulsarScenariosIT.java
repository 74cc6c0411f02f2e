package io.sluice.deployer.e2e;

import io.sluice.testkit.pulsar.PulsarBroker;

/** Pulsar, in every scenario. Skipped unless the build has a Pulsar broker, which it gets with {@code -Ppulsar}. */
class PulsarScenariosIT extends BrokerScenarios {
    PulsarScenariosIT() {
        super(PulsarBroker.start());
    }
}
