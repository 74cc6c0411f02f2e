package io.sluice.deployer.e2e;

import io.sluice.testkit.rabbitmq.RabbitMqBroker;

/** RabbitMQ, in every scenario. */
class RabbitMqScenariosIT extends BrokerScenarios {
    RabbitMqScenariosIT() {
        super(RabbitMqBroker.start());
    }
}
