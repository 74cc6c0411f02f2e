package io.sluice.deployer.e2e;

import io.sluice.testkit.pulsar.PulsarBroker;

/** Pulsar takes 5 MiB by default. Skipped unless the build has a Pulsar broker, which it gets with {@code -Ppulsar}. */
class PulsarRejectIT extends RefusalScenarios {
    PulsarRejectIT() {
        super(PulsarBroker.start(), 6_000_000);
    }
}
