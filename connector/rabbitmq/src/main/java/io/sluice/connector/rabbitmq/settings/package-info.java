/** The settings of a RabbitMQ producer: addresses, TLS, and what is declared; they are read and checked here. */
@NullMarked
package io.sluice.connector.rabbitmq.settings;

import org.jspecify.annotations.NullMarked;
