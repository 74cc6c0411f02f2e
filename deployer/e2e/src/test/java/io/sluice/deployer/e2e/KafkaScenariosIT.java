package io.sluice.deployer.e2e;

import io.sluice.testkit.kafka.KafkaBroker;

/** Kafka, in every scenario. */
class KafkaScenariosIT extends BrokerScenarios {
    KafkaScenariosIT() {
        super(KafkaBroker.start());
    }
}
