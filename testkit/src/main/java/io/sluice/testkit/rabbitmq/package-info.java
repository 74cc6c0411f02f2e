/**
 * Starts a real RabbitMQ broker on a free port, and reads what its queues hold.
 *
 * <p>Does not know what the messages mean.
 */
@NullMarked
package io.sluice.testkit.rabbitmq;

import org.jspecify.annotations.NullMarked;
