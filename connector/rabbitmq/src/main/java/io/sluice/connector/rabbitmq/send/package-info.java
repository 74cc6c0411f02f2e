/** Sends messages over a connection of its own for each attempt, and passes on what the broker answers. It does not know why a queue is missing. */
@NullMarked
package io.sluice.connector.rabbitmq.send;

import org.jspecify.annotations.NullMarked;
