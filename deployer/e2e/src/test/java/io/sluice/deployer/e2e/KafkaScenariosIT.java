package io.sluice.deployer.e2e;

import io.sluice.testkit.kafka.KafkaBroker;
import org.junit.jupiter.api.Test;

/** Kafka, in every scenario. */
class KafkaScenariosIT extends BrokerScenarios {
    KafkaScenariosIT() {
        super(KafkaBroker.start());
    }

    @Override
    @Test
    void losesNothingWhileTheBrokerIsRestarted() throws Exception {
        super.losesNothingWhileTheBrokerIsRestarted();
    }

    @Override
    @Test
    void losesNothingWhileTheBrokerIsPausedForLongerThanTheTimeout() throws Exception {
        super.losesNothingWhileTheBrokerIsPausedForLongerThanTheTimeout();
    }

    @Override
    @Test
    void losesNothingWhileConnectionsAreCutAtRandom() throws Exception {
        super.losesNothingWhileConnectionsAreCutAtRandom();
    }
}
