/**
 * Sends messages to RabbitMQ: the topic is the routing key, and each message is confirmed by the broker.
 *
 * <p>Does not know what is in a message.
 */
@NullMarked
package io.sluice.connector.rabbitmq;

import org.jspecify.annotations.NullMarked;
