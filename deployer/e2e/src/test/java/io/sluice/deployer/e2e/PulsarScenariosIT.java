package io.sluice.deployer.e2e;

import io.sluice.testkit.pulsar.PulsarBroker;

/** Pulsar, in every scenario. Skipped with {@code -DskipPulsar}. */
class PulsarScenariosIT extends BrokerScenarios {
    PulsarScenariosIT() {
        super(PulsarBroker.start());
    }
}
