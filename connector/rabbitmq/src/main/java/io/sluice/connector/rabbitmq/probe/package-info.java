/** Asks nodes, before an instance starts, whether it could send. */
@NullMarked
package io.sluice.connector.rabbitmq.probe;

import org.jspecify.annotations.NullMarked;
