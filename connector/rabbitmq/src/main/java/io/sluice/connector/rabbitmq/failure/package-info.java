/** Failures of RabbitMQ: what passes by itself, what needs an operator, and the words by which they are known. */
@NullMarked
package io.sluice.connector.rabbitmq.failure;

import org.jspecify.annotations.NullMarked;
