package io.sluice.deployer.e2e;

import io.sluice.testkit.rocketmq.RocketMqBroker;

/** RocketMQ takes 4 MiB by default. */
class RocketMqRejectIT extends RejectScenarios {
    RocketMqRejectIT() {
        super(RocketMqBroker.start(), 5_000_000);
    }
}
