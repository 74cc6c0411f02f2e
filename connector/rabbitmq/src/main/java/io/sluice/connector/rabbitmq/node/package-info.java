/** The nodes of a cluster: which one is connected to, what they answer, and whether they are joined to each other. */
@NullMarked
package io.sluice.connector.rabbitmq.node;

import org.jspecify.annotations.NullMarked;
