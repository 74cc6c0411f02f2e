package io.sluice.deployer.e2e;

import io.sluice.testkit.rocketmq.RocketMqBroker;
import org.junit.jupiter.api.Tag;

/** RocketMQ takes 4 MiB by default. */
@Tag("thorough")
class RocketMqRejectIT extends RejectScenarios {
    RocketMqRejectIT() {
        super(RocketMqBroker.start(), 5_000_000);
    }
}
