package io.sluice.deployer.e2e;

import io.sluice.testkit.kafka.KafkaBroker;

/** Kafka takes a megabyte by default. */
class KafkaRejectIT extends RejectScenarios {
    KafkaRejectIT() {
        super(KafkaBroker.start(), 2_000_000);
    }
}
