/** Sends messages to Kafka: makes producers, and sends record batches by connections of its own. It does not know what is in a message, nor the store. */
@NullMarked
package io.sluice.connector.kafka;

import org.jspecify.annotations.NullMarked;
