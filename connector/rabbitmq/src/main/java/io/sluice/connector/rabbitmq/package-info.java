/** Sends records to RabbitMQ. */
@NullMarked
package io.sluice.connector.rabbitmq;

import org.jspecify.annotations.NullMarked;
