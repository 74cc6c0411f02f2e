package io.sluice.deployer.e2e;

import io.sluice.testkit.pulsar.PulsarBroker;
import org.junit.jupiter.api.Tag;

/** Pulsar takes 5 MiB by default. Skipped with {@code -DskipPulsar}. */
@Tag("thorough")
class PulsarRejectIT extends RejectScenarios {
    PulsarRejectIT() {
        super(PulsarBroker.start(), 6_000_000);
    }
}
