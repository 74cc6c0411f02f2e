/** Asks brokers, before an instance starts, whether it could send. */
@NullMarked
package io.sluice.connector.kafka.probe;

import org.jspecify.annotations.NullMarked;
