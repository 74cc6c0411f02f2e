/** Messages that no queue takes: finds whether a queue is missing or is not reached. */
@NullMarked
package io.sluice.connector.rabbitmq.unroutable;

import org.jspecify.annotations.NullMarked;
