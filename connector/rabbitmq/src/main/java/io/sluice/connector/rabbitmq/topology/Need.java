package io.sluice.connector.rabbitmq.topology;

import io.sluice.connector.rabbitmq.node.BrokerAnswer;

/**
 * A queue or an exchange that messages need, as the node has answered that is connected to.
 *
 * @param key that names it
 * @param passive asks for it
 * @param isDeclared whether it is declared if it is missing
 */
public record Need(String key, String name, BrokerAnswer.Question passive, boolean isDeclared, BrokerAnswer here) {
    boolean isMissing() {
        return here.isMissing();
    }

    /** As in the configuration. */
    String named() {
        return key + "=" + name;
    }
}
