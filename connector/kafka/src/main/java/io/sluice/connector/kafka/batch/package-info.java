/**
 * Kafka's record batches, format 2, as converters make them of messages. It does not know brokers, connections or failures.
 */
@NullMarked
package io.sluice.connector.kafka.batch;

import org.jspecify.annotations.NullMarked;
