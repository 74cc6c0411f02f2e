package io.sluice.connector.rabbitmq.node;

import io.sluice.connector.rabbitmq.settings.Address;

/** Asks the nodes of a cluster for queues. For one thread at a time. */
public interface NodeAsker {
    /** Declares a queue for the connection to a node alone. */
    BrokerAnswer declare(Address node, String queue);

    /** Asks a node for a queue, which declares nothing. */
    BrokerAnswer find(Address node, String queue);

    /** Deletes a queue at the node where it was declared. Returns whether it was there until then: it is gone when the connection is lost. */
    boolean delete(Address node, String queue);
}
