package io.sluice.deployer.e2e;

import io.sluice.testkit.rocketmq.RocketMqBroker;

/** RocketMQ, in every scenario. */
class RocketMqScenariosIT extends BrokerScenarios {
    RocketMqScenariosIT() {
        super(RocketMqBroker.start());
    }
}
